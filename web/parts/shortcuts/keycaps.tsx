import { capsOf, type Shortcut } from './table.ts'

const isMac = /Mac/.test(navigator.platform)

/** The keys of a shortcut as they are printed. `through`: the last one of a row of keys. */
export function Keycaps({ shortcut, through }: { readonly shortcut: Shortcut; readonly through?: Shortcut | undefined }) {
  const caps = capsOf(shortcut, isMac)
  return (
    <span className="flex shrink-0 items-center gap-1">
      {caps.map((cap) => (
        <Cap key={cap}>{cap}</Cap>
      ))}
      {through !== undefined && (
        <>
          <span className="text-fg3">–</span>
          <Cap>{capsOf(through, isMac).join(' ')}</Cap>
        </>
      )}
    </span>
  )
}

function Cap({ children }: { readonly children: string }) {
  return (
    <kbd
      className="rounded-chip bg-s2 px-1.5 py-0.5 text-center text-12 font-medium text-fg2"
      style={{ minWidth: 24, fontFamily: 'inherit' }}
    >
      {children}
    </kbd>
  )
}
