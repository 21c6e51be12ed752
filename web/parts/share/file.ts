/** A drawn picture as a file: handed to another app, or saved. */

export function canShareFiles(name: string): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [new File([], name, { type: 'image/png' })] })
}

export function fileOf(canvas: HTMLCanvasElement | null, name: string): Promise<File> {
  return new Promise((resolve, reject) => {
    canvas?.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(new File([blob], name, { type: 'image/png' }))))
  })
}

export function save(file: File): void {
  const url = URL.createObjectURL(file)
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = file.name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Whether sharing failed only because the person closed the share sheet. */
export function isClosedByPerson(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
