/** The keys in force on this page. */
import { type ReactNode, useState } from 'react'
import { keysNow } from '../app/keys.ts'
import { t } from '../app/texts.ts'
import { Modal } from '../parts/dialog.tsx'
import { Button, Kbd } from '../parts/ui.tsx'

export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  // Those of the page behind the dialog.
  const [all] = useState(() => Object.entries(keysNow()) as [string, { readonly what: string }][])
  return (
    <Modal title={t.keys.title} onClose={onClose}>
      <dl className="keys-list">
        {all.map(([keys, { what }]) => (
          <div key={keys} style={{ display: 'contents' }}>
            <dt>{what}</dt>
            <dd>
              <span className="hidden-text">{keys}</span>
              {keys.split(' ').map((key) => (
                <Kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="dialog-foot">
        <Button onClick={onClose}>{t.common.close}</Button>
      </div>
    </Modal>
  )
}
