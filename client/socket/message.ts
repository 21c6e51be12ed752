/** A socket's message if it is a JSON object; its fields are unchecked. */
export function messageIn<Message extends object>(text: string): Partial<Message> | undefined {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null) return message
  } catch {}
  return undefined
}
