/** The behaviour of every field for an amount or a price. */
import { type ChangeEvent, type ClipboardEvent, type CompositionEvent, type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { edited, type Shown } from './edit.ts'

/**
 * Properties of an input that shows `value`, a plain decimal, grouped in the format of the language. `onChange` gets plain decimals with
 * at most `places` digits after the point. While it is edited, the text stays as typed; it is grouped when the field is left.
 */
export function useNumberInput(value: string, places: number, onChange: (value: string) => void) {
  const format = useFormats()
  const [kept, keep] = useState<(Shown & { readonly value: string }) | undefined>()
  const beforeComposing = useRef<Shown>(undefined)
  const pastesAll = useRef(false)
  const caret = useRef<{ readonly input: HTMLInputElement; readonly at: number }>(undefined)
  const shown: Shown = kept !== undefined && kept.value === value ? kept : { text: format.field(value), isOurs: true }
  // An edit that is refused, or changes the text, would leave the caret at the end.
  useLayoutEffect(() => {
    if (caret.current === undefined) return
    const { input, at } = caret.current
    caret.current = undefined
    if (document.activeElement === input) input.setSelectionRange(at, at)
  })
  const apply = (input: HTMLInputElement, before: Shown, inputType: string): void => {
    const at = input.selectionStart ?? input.value.length
    const options = { marks: format.marks, places, group: format.field }
    const isForward = inputType === 'deleteContentForward'
    // A paste that changes nothing makes no event of its own.
    const isWhole = pastesAll.current && inputType === 'insertFromPaste'
    const next = edited(before, { text: input.value, caret: at, isForward, isWhole }, options)
    pastesAll.current = false
    caret.current = { input, at: next?.caret ?? Math.max(0, at - Math.max(0, input.value.length - before.text.length)) }
    keep(next === undefined ? { ...before, value } : { text: next.text, isOurs: next.isOurs, value: next.value })
    if (next !== undefined && next.value !== value) onChange(next.value)
  }
  return {
    value: shown.text,
    onFocus: (event: FocusEvent<HTMLInputElement>): void => event.target.select(),
    onPaste(event: ClipboardEvent<HTMLInputElement>): void {
      const { selectionStart, selectionEnd, value: text } = event.currentTarget
      pastesAll.current = selectionStart === 0 && selectionEnd === text.length
    },
    onBlur: (): void => keep(undefined),
    onChange(event: ChangeEvent<HTMLInputElement>): void {
      const { isComposing, inputType } = event.nativeEvent as InputEvent
      // A keyboard that composes loses its text if the field changes it meanwhile.
      if (isComposing) {
        beforeComposing.current ??= shown
        keep({ text: event.target.value, isOurs: false, value })
      } else apply(event.target, beforeComposing.current ?? shown, inputType)
    },
    onCompositionEnd(event: CompositionEvent<HTMLInputElement>): void {
      const before = beforeComposing.current
      beforeComposing.current = undefined
      if (before !== undefined) apply(event.currentTarget, before, '')
    },
  }
}
