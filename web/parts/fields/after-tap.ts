/**
 * Shows what follows from leaving a field. If a tap has taken the focus away, it waits for the end of that tap: an error that appears
 * would move the button from under the finger.
 */
export function afterTap(show: () => void): void {
  if (document.querySelector(':active') === null) show()
  else addEventListener('click', () => setTimeout(show), { once: true, capture: true })
}
