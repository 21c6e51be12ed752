import { useSettings } from './settings.ts'

/** A short tick under the thumb, where the device can and the person wants it. */
export function tick(ms = 8): void {
  if (useSettings.getState().haptics && 'vibrate' in navigator) navigator.vibrate(ms)
}
