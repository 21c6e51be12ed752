/**
 * Keys of the whole page; on pages that give J and K no other meaning, these two go through the rows of its tables. Letters do nothing while a
 * text field has the focus or a dialog is open.
 */
import { useEffect, useRef } from 'react'
import { Shared } from './store.ts'
import { t } from './texts.ts'

export type KeyAction = { readonly what: string; readonly run: () => void }
/** By key as typed, `/`, `j`, or a pair, `g i`. */
export type Keys = Readonly<Record<string, KeyAction | undefined>>

/** How long the second key of a pair is waited for. */
const pairMs = 1_500

/** The keys in force, the newest last. */
export const keysInForce = new Shared<readonly Keys[]>([])

const rowSelector = '#main .table tbody tr'

/** Moves the focus to the next row or the previous one: to its first link or button, if it has one. */
function toRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(rowSelector)]
  const now = rows.findIndex((row) => row.contains(document.activeElement))
  const row = now < 0 ? rows.at(step === 1 ? 0 : -1) : rows[now + step]
  if (row === undefined) return
  row.tabIndex = -1
  const target = row.querySelector<HTMLElement>('a, button:not(:disabled)') ?? row
  target.focus()
}

const rowKeys: Keys = {
  j: { what: t.keys.next, run: () => toRow(1) },
  k: { what: t.keys.previous, run: () => toRow(-1) },
}

/** All keys of the page as it is now. */
export function keysNow(): Keys {
  return Object.assign({}, document.querySelector(rowSelector) === null ? {} : rowKeys, ...keysInForce.get())
}

let first = { key: '', at: 0 }

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (document.querySelector('.dialog, .popup') !== null) return
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const pair = event.timeStamp - first.at < pairMs ? `${first.key} ${key}` : ''
  const all = keysInForce.get().toReversed()
  const found = all.map((keys) => keys[pair]).find(Boolean) ?? all.map((keys) => keys[key]).find(Boolean) ?? rowKeys[key]
  first = { key, at: found === undefined ? event.timeStamp : 0 }
  if (found === undefined) return
  event.preventDefault()
  found.run()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

addEventListener('keydown', onKey)

/** Puts keys in force while the component is there. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  const names = Object.keys(keys)
    .filter((key) => keys[key] !== undefined)
    .join('|')
  useEffect(() => {
    const own: Record<string, KeyAction> = {}
    for (const key of names.split('|').filter((name) => name !== ''))
      own[key] = { what: latest.current[key]?.what ?? '', run: () => latest.current[key]?.run() }
    keysInForce.set([...keysInForce.get(), own])
    return () => keysInForce.set(keysInForce.get().filter((other) => other !== own))
  }, [names])
}
