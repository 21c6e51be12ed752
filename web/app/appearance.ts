/** Puts theme, colours, text size and the height of the window onto `<html>`, now and whenever they change. */
import type { Lang } from '@candor/core/protocol/locales.ts'
import { isOnDevice, textPercents } from './preferences/layout.ts'
import { useSession } from './session.ts'
import { useSettings, type Settings } from './settings.ts'
import { useLang } from './texts.ts'

export type UpDown = 'green' | 'red' | 'cb'

/** Whether the app asks for the colours of prices: for readers of Chinese, red often means rising. Prices have no colour until then. */
export function isAskingUpDown(lang: Lang, chosen: UpDown | undefined): boolean {
  return lang === 'hk' && chosen === undefined
}

export function followAppearance(): void {
  const system = matchMedia('(prefers-color-scheme: light)')
  const apply = (): void => applyAll(useSettings.getState(), system.matches)
  useSettings.subscribe(apply)
  useLang.subscribe(apply)
  useSession.subscribe(apply)
  system.addEventListener('change', apply)
  addEventListener('resize', measure)
  addEventListener('orientationchange', measure)
  apply()
  measure()
}

function applyAll(settings: Settings, systemIsLight: boolean): void {
  const { documentElement: root } = document
  const isLight = settings.theme === undefined ? systemIsLight : settings.theme === 'light'
  root.dataset.theme = isLight ? 'light' : 'dark'
  root.dataset.updown = isAskingUpDown(useLang.getState().lang, settings.updown) ? 'neutral' : (settings.updown ?? 'green')
  const percent = textPercent(settings, useSession.getState().me?.uid ?? null)
  root.style.fontSize = percent === 100 ? '' : `${percent}%`
  if (settings.reduceMotion) root.dataset.motion = 'reduced'
  else delete root.dataset.motion
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', isLight ? '#f6f7f9' : '#0a0c10')
}

/** The text size that this device keeps for its user. `use-layout.ts` loads that of the account. */
function textPercent({ kept: { layout } }: Settings, uid: string | null): number {
  return textPercents[layout !== undefined && isOnDevice(layout.owner, uid, true) ? layout.value.textSize : 'normal']
}

/** Sets `--vh` to one percent of the window's height. Unlike `vh`, it follows a phone's address bar. */
function measure(): void {
  document.documentElement.style.setProperty('--vh', `${innerHeight / 100}px`)
}
