/** Where the focus is, which decides which keys are free. */

const free = ['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'file', 'color']
const choosing =
  '[role=textbox], [role=searchbox], [role=combobox], [role=listbox], [role=spinbutton], [contenteditable=""], [contenteditable=true]'

export type Where = 'page' | 'field' | 'ticket-field' | 'sheet'

export function whereIs(element: EventTarget | null): Where {
  // A sheet without the focus is above the page none the less.
  if (document.querySelector('dialog:modal') !== null) return 'sheet'
  if (!(element instanceof HTMLElement) || !takesKeys(element)) return 'page'
  return element.tagName === 'INPUT' && element.closest('[data-pane=ticket]') !== null ? 'ticket-field' : 'field'
}

/** Whether an element does something of its own with letters and digits. */
function takesKeys(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return !free.includes(element.type)
  return ['TEXTAREA', 'SELECT'].includes(element.tagName) || element.closest(choosing) !== null
}

/** Whether Enter already means something for an element: a button, a link, a field. */
export function hasOwnEnter(element: EventTarget | null): boolean {
  return element instanceof HTMLElement && element.closest('button, a, input, select, textarea, summary, [role=button]') !== null
}
