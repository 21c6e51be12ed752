/** Moves the focus to the first field of a form that shows an error, which may be out of sight. Fields that are right leave it alone. */
export function focusFirstWrong(form: HTMLElement | null): void {
  // The errors of this attempt are in the page with the next frame.
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true], [data-wrong]')?.focus())
}
