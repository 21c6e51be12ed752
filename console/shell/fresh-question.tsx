/** The dialog for another login, which some actions need. */
import { type ReactNode, useState } from 'react'
import { freshQuestion } from '../app/fresh.ts'
import { enter, leave } from '../app/session.ts'
import { useShared } from '../app/store.ts'
import { t } from '../app/texts.ts'
import type { Me } from '../app/wire.ts'
import { Modal } from '../parts/dialog.tsx'
import { Button } from '../parts/ui.tsx'
import { Ways } from '../pages/login.tsx'

export function FreshQuestion({ me }: { readonly me: Me }): ReactNode {
  const answer = useShared(freshQuestion)
  const [isOther, setOther] = useState(false)
  if (answer === undefined) return null
  const onDone = (again: Me): void => {
    // The browser's session is now the other member's, who must not continue somebody's action.
    if (again.id !== me.id) {
      setOther(true)
      answer(false)
      return leave('exchange')
    }
    enter(again)
    answer(true)
  }
  return (
    <Modal title={t.fresh.title} text={t.fresh.text} onClose={() => answer(false)}>
      {isOther && <p className="fault">{t.fresh.other}</p>}
      <Ways email={me.email} onDone={onDone} />
      <Button onClick={() => answer(false)}>{t.common.cancel}</Button>
    </Modal>
  )
}
