/** A button with a menu. */
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode } from 'react'

export type MenuItem = { readonly label: string; readonly onChoose: () => void }
type MenuProps = {
  /** Read out instead of the button's text. */
  readonly label?: string
  readonly className: string
  readonly trigger: ReactNode
  readonly items: readonly MenuItem[]
  /** A choice of one of several values, below the items. */
  readonly choice?: {
    readonly label: string
    readonly value: string
    readonly options: readonly { readonly value: string; readonly label: string }[]
    readonly onChoose: (value: string) => void
  }
  readonly side?: 'bottom' | 'top'
}

export function Menu({ label, className, trigger, items, choice, side = 'bottom' }: MenuProps): ReactNode {
  return (
    <Base.Root modal={false}>
      <Base.Trigger className={className} {...(label === undefined ? {} : { 'aria-label': label })}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner side={side} align="end" sideOffset={4} style={{ zIndex: 30 }}>
          <Base.Popup className="popup">
            {choice && (
              <Base.RadioGroup value={choice.value} onValueChange={(value) => choice.onChoose(value as string)}>
                <Base.Group>
                  <Base.GroupLabel className="menu-label">{choice.label}</Base.GroupLabel>
                  {choice.options.map((option) => (
                    <Base.RadioItem key={option.value} value={option.value} className="option">
                      {option.label}
                    </Base.RadioItem>
                  ))}
                </Base.Group>
              </Base.RadioGroup>
            )}
            {choice && <Base.Separator className="menu-line" />}
            {items.map((item) => (
              <Base.Item key={item.label} className="option" onClick={item.onChoose}>
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
