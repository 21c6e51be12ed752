/** The id of a transaction, shortened where it stands in a table, with a link to its page in the explorer. */
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'

type TransactionProps = { readonly id: string; readonly url: string | null; readonly isWhole?: boolean }

const shownChars = 8

export function Transaction({ id, url, isWhole = false }: TransactionProps): ReactNode {
  const isShort = !isWhole && id.length > 3 * shownChars
  const text = isShort ? `${id.slice(0, shownChars)}…${id.slice(-shownChars)}` : id
  if (url === null)
    return (
      <span className="hash tn" title={id}>
        {text}
      </span>
    )
  return (
    <a href={url} target="_blank" rel="noreferrer" className="hash tn" title={id}>
      {text} <ExternalLink size={12} aria-hidden="true" />
    </a>
  )
}
