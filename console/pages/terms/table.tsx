/** Terms to read. */
import type { TermKind, Terms } from '@candor/core/protocol/wire/changes.ts'
import type { ReactNode } from 'react'
import { t } from '../../app/texts.ts'
import { fieldsOf, linesOf, nameOf } from './values.ts'

type TermsTableProps = { readonly kind: TermKind; readonly terms: Terms; readonly assets: readonly string[] }

export function TermsTable({ kind, terms, assets }: TermsTableProps): ReactNode {
  return (
    <table className="table terms" aria-label={t.terms.kinds[kind]}>
      <thead>
        <tr>
          <th scope="col">{t.terms.field}</th>
          <th scope="col">{t.terms.now}</th>
        </tr>
      </thead>
      <tbody>
        {fieldsOf(kind).map(([name, field]) => (
          <tr key={name}>
            <th scope="row">{nameOf(name)}</th>
            <td className="tn">
              {linesOf(field, terms[name]!, assets).map((line, at) => (
                <div key={at}>{line}</div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
