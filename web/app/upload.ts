/**
 * A `fetch` that reports how much of its body was sent. The browser's own can't; `XMLHttpRequest` can.
 *
 * onProgress  gets the share sent, from 0 to 1
 */
export function fetchReporting(onProgress: (share: number) => void): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', String(input))
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total, lengthComputable }) => lengthComputable && total > 0 && onProgress(loaded / total)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }))
      request.onerror = () => reject(new TypeError('the upload failed'))
      request.onabort = () => reject(new DOMException('the upload was stopped', 'AbortError'))
      if (init.signal?.aborted) request.abort()
      else init.signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(init.body as XMLHttpRequestBodyInit | null)
    })
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':')
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}
