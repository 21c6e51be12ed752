/** The frame of a wide window: some screens stay as a list at the left, and what was chosen in them is at the right. */
import { type ReactNode, useContext } from 'react'
import { placeOf, ShownHash } from '../app/location.ts'
import { addStyles } from '../app/wide/add-styles.ts'
import { useTranslation } from '../app/translate.ts'
import { PathBeside } from '../app/wide/use-is-wide.ts'
import { Split } from '../parts/wide/split.tsx'
import css from '../parts/wide/wide.css?inline'
import { type Pair, pairOf } from './pairs.ts'
import { ScreenHost } from './screen-host.tsx'

addStyles(css)

export function Beside({ path }: { readonly path: string }) {
  const pair = pairOf(path)
  return pair === undefined ? <ScreenHost path={path} /> : <Both pair={pair} />
}

function Both({ pair: { list, detail, entry, isFirst } }: { readonly pair: Pair }) {
  const { t } = useTranslation()
  return (
    <Split
      name={list}
      label={t(list === '/me' ? 'shell.me' : 'shell.market')}
      isFirst={isFirst}
      list={
        <PathBeside value={entry}>
          <At path={list}>
            <ScreenHost path={list} />
          </At>
        </PathBeside>
      }
    >
      <At path={detail}>
        <ScreenHost path={detail} />
      </At>
    </Split>
  )
}

/** Both screens read the query of the address, each at its own path. */
function At({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const query = placeOf(useContext(ShownHash)).query.toString()
  return <ShownHash value={query === '' ? `#${path}` : `#${path}?${query}`}>{children}</ShownHash>
}
