/** Dialogs and short notices. */
import { Dialog } from '@base-ui/react/dialog'
import { Toast } from '@base-ui/react/toast'
import { type FormEvent, type ReactNode, useState } from 'react'
import { t } from '../app/texts.ts'
import { ReasonField } from './fields.tsx'
import { Button, FaultNote, useWork } from './ui.tsx'

type ModalProps = {
  readonly title: string
  readonly text?: string
  readonly isBroad?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog that is open as long as it is rendered. */
export function Modal({ title, text, isBroad = false, onClose, children }: ModalProps): ReactNode {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className={isBroad ? 'dialog broad' : 'dialog'}>
          <Dialog.Title>{title}</Dialog.Title>
          {text !== undefined && <Dialog.Description className="fg2">{text}</Dialog.Description>}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type AskProps = {
  readonly title: string
  readonly text?: string
  readonly action: string
  readonly isDanger?: boolean
  readonly hasReason?: boolean
  /** Whether the fields inside are filled in. */
  readonly isReady?: boolean
  readonly children?: ReactNode
  /** throws  what `sentenceOf` explains; the dialog stays then */
  readonly onDo: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before an action, for its reason if the log needs one. Closes when the action is done. */
export function Ask({
  title,
  text,
  action,
  isDanger = false,
  hasReason = false,
  isReady = true,
  children,
  onDo,
  onClose,
}: AskProps): ReactNode {
  const [reason, setReason] = useState('')
  const { isBusy, fault, run } = useWork(onDo)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (await run(reason.trim())) onClose()
  }
  return (
    <Modal title={title} {...(text === undefined ? {} : { text })} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {children}
        {hasReason && <ReasonField value={reason} onText={setReason} />}
        <FaultNote cause={fault} />
        <div className="dialog-foot">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="filled" isDanger={isDanger} disabled={isBusy || !isReady || (hasReason && reason.trim() === '')}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

const toasts = Toast.createToastManager()

/** Says what was done; it disappears by itself and is read out. */
export function say(title: string): void {
  toasts.add({ title, timeout: 5_000 })
}

export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Toast.Provider toastManager={toasts}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList(): ReactNode {
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title />
    </Toast.Root>
  ))
}
