/** Listens to the keys of a desk, and shows what they open: the palette, the help, and the progress of a held key. */
import { Suspense, useEffect, useRef, useState } from 'react'
import { laterSheet } from '../ui/later.tsx'
import { actionOf } from './commands.ts'
import { hasOwnEnter, whereIs } from './focus.ts'
import { Holding, useHeldCancel } from './held-cancel.tsx'
import { handlerOf } from './registry.ts'
import { type Command, commandOf } from './table.ts'

const HelpSheet = laterSheet(() => import('./help-sheet.tsx').then((module) => module.HelpSheet))
const Palette = laterSheet(() => import('./palette.tsx').then((module) => module.loadPalette()))

type Opened = 'palette' | 'help'

export function Listener() {
  const [opened, setOpened] = useState<Opened>()
  const held = useHeldCancel()
  const begin = useRef(held.begin)
  begin.current = held.begin
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const command = commandOf(event)
      if (command === undefined) return
      const action = actionAt(command, event, setOpened, begin.current)
      if (action === undefined) return
      event.preventDefault()
      // A key that is held types nothing twice, and sends nothing twice.
      if (!event.repeat) action()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
  // The palette's own closing comes after that of the command that it carried out, which may open the help.
  const close = (what: Opened) => (): void => setOpened((now) => (now === what ? undefined : now))
  return (
    <>
      <Holding state={held.state} />
      <Suspense fallback={null}>
        {opened === 'help' && <HelpSheet onClose={close('help')} />}
        {opened === 'palette' && <Palette onClose={close('palette')} onHelp={() => setOpened('help')} />}
      </Suspense>
    </>
  )
}

/** What a command does where the focus is; undefined leaves the key to the browser. */
function actionAt(
  command: Command,
  { target, code }: KeyboardEvent,
  open: (what: Opened) => void,
  hold: (code: string) => void,
): (() => void) | undefined {
  const where = whereIs(target)
  switch (command) {
    case 'palette':
      return () => open('palette')
    case 'send':
      if (where === 'ticket-field') return actionOf('send')
      return where === 'sheet' && !hasOwnEnter(target) ? handlerOf('confirm') : undefined
    case 'leave':
      return where === 'ticket-field' ? () => (target as HTMLElement).blur() : undefined
    case 'next-pane':
    case 'previous-pane':
      return where === 'sheet' ? undefined : actionOf(command)
    case 'help':
      return where === 'page' ? () => open('help') : undefined
    case 'cancel-all':
      return where === 'page' && handlerOf('cancelAll') !== undefined ? () => hold(code) : undefined
    default:
      return where === 'page' ? actionOf(command) : undefined
  }
}
