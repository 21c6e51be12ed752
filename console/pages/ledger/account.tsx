/** Balances and postings of a customer, or of one of the exchange's own accounts. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../app/texts.ts'
import { Choice } from '../../parts/fields.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { buttonClass, More } from '../../parts/ui.tsx'
import { Watching } from '../../parts/watching.tsx'
import * as columns from './columns.tsx'
import { accountQuery, ownerOf } from './queries.ts'
import type { Account } from '@candor/core/protocol/wire/console/ledger.ts'

const words = t.watch.ledger
/** The choice of all assets. */
const any = 'any'

export function AccountPage(): ReactNode {
  const { owner = '' }: { readonly owner?: string } = useParams({ strict: false })
  const { asset }: { readonly asset?: string } = useSearch({ strict: false })
  const query = useInfiniteQuery(accountQuery(owner, asset))
  const { data, error, refetch, dataUpdatedAt, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const filter = { ...ownerOf(owner), ...(asset === undefined ? {} : { asset }) }
  const isCustomer = 'uid' in filter
  return (
    <Watching
      title={isCustomer ? words.customer(owner) : words.house(owner)}
      query={{ data: data?.pages, error, refetch, dataUpdatedAt }}
      tablesOf={([first]) => first!.tables}
      action={
        <Link to="/ledger" className={buttonClass({ look: 'quiet' })}>
          {words.trial}
        </Link>
      }
    >
      {(pages) => (
        <>
          <Sheet
            {...{
              title: words.balances,
              columns: columns.balances,
              rows: pages[0]!.balances,
              file: '/ledger/files/balances',
              filter: ownerOf(owner),
            }}
            {...{ empty: words.noBalances }}
            keyOf={({ kind, market, asset: held }) => `${kind} ${market} ${held}`}
          />
          <AssetChoice owner={owner} asset={asset} account={pages[0]!} />
          <Sheet
            {...{
              title: words.postings,
              columns: columns.postings,
              rows: pages.flatMap(({ postings }) => postings),
              filter,
              empty: words.noPostings,
            }}
            {...(isCustomer ? { text: words.noHolds } : {})}
            file="/ledger/files/postings"
            keyOf={({ seq, line }) => `${seq}-${line}`}
          >
            <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
          </Sheet>
        </>
      )}
    </Watching>
  )
}

function AssetChoice({
  owner,
  asset,
  account,
}: {
  readonly owner: string
  readonly asset: string | undefined
  readonly account: Account
}): ReactNode {
  const navigate = useNavigate()
  const held = [...new Set(account.balances.map((balance) => balance.asset))]
  return (
    <div className="line">
      <Choice
        isBare
        label={t.watch.asset}
        value={asset ?? any}
        options={[{ value: any, label: words.allAssets }, ...held.map((value) => ({ value, label: value }))]}
        onChoose={(chosen) =>
          void navigate({ to: '/ledger/account/$owner', params: { owner }, search: chosen === any ? {} : { asset: chosen }, replace: true })
        }
      />
    </div>
  )
}
