type Attributes = Readonly<Record<string, string | boolean | undefined>>
type Child = Node | string | undefined | false

/** An element with attributes and children; strings become text, never markup. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '')
    else if (typeof value === 'string') made.setAttribute(key, value)
  }
  for (const child of children) if (child !== undefined && child !== false) made.append(child)
  return made
}

/** Text in paragraphs, separated by empty lines, with `code` between backticks. */
export function prose(text: string): readonly HTMLElement[] {
  return text.split('\n\n').map((part) => {
    const paragraph = el('p')
    for (const [at, piece] of part.split('`').entries()) paragraph.append(at % 2 === 1 ? el('code', {}, piece) : piece)
    return paragraph
  })
}

/** A block of code with a button that copies it. */
export function codeBlock(text: string): HTMLElement {
  const copy = el('button', { type: 'button', class: 'copy' }, 'Copy')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => {
        copy.textContent = 'Copied'
        setTimeout(() => (copy.textContent = 'Copy'), 1_500)
      },
      () => (copy.textContent = 'Copy failed: select the text'),
    )
  })
  return el('div', { class: 'code' }, el('pre', { tabindex: '0' }, el('code', {}, text)), copy)
}
