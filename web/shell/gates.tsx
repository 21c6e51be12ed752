import { Suspense } from 'react'
import { usePlace } from '../app/location.ts'
import { useMe, useSession } from '../app/session.ts'
import { loadArea } from '../app/texts.ts'
import { later } from '../parts/ui/later.tsx'

const GatesSheet = later(async () => {
  const [sheet] = await Promise.all([import('./gates-sheet.tsx'), loadArea('gates')])
  return sheet.GatesSheet
})

/** Where a sheet would stand between customers and what they came for: logging in, freezing the account. */
const spared: ReadonlySet<string> = new Set(['/login', '/register', '/password', '/freeze', '/deletion'])

/** Above every screen, what the customer still has to declare. */
export function Gates() {
  const { path } = usePlace()
  const me = useMe()
  const isExpired = useSession((session) => session.isExpired)
  // A profile that an older version of the app stored has no list.
  if (me === undefined || isExpired || !(me.due?.length > 0) || spared.has(path)) return null
  return (
    <Suspense fallback={null}>
      <GatesSheet me={me} />
    </Suspense>
  )
}
