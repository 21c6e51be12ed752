/** Inputs with their labels. */
import { Select } from '@base-ui/react/select'
import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { t } from '../app/texts.ts'

type FieldProps = ComponentProps<'input'> & {
  readonly label: string
  readonly help?: string
  readonly onText: (text: string) => void
}

export function TextField({ label, help, onText, ...rest }: FieldProps): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        {...(help === undefined ? {} : { 'aria-describedby': `${id}-help` })}
        onChange={({ target }) => onText(target.value)}
        {...rest}
      />
      {help !== undefined && (
        <span id={`${id}-help`} className="help">
          {help}
        </span>
      )}
    </div>
  )
}

/** Most characters of a reason, as the exchange stores it. */
export const reasonMax = 500

/** The reason of an action, which goes to the log: one line. */
export function ReasonField({ value, onText }: { readonly value: string; readonly onText: (text: string) => void }): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t.common.reason}</label>
      <textarea
        id={id}
        className="input"
        required
        maxLength={reasonMax}
        value={value}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onText(target.value.replaceAll(/[\r\n]+/g, ' '))}
      />
      <span id={`${id}-help`} className="help">
        {t.common.reasonHelp}
      </span>
    </div>
  )
}

type Option = { readonly value: string; readonly label: string }
type ChoiceProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly onChoose: (value: string) => void
  /** Whether the label is only read out. */
  readonly isBare?: boolean
}

export function Choice({ label, value, options, onChoose, isBare = false }: ChoiceProps): ReactNode {
  return (
    <Select.Root items={options as Option[]} value={value} onValueChange={(chosen) => onChoose(chosen as string)} modal={false}>
      <div className={isBare ? undefined : 'field'}>
        <Select.Label className={isBare ? 'hidden-text' : 'label'}>{label}</Select.Label>
        <Select.Trigger className="select-trigger">
          <Select.Value />
          <Select.Icon>
            <ChevronDown size={14} aria-hidden="true" />
          </Select.Icon>
        </Select.Trigger>
      </div>
      <Select.Portal>
        <Select.Positioner sideOffset={4} alignItemWithTrigger={false} style={{ zIndex: 30 }}>
          <Select.Popup className="popup">
            <Select.List>
              {options.map((option) => (
                <Select.Item key={option.value} value={option.value} className="option">
                  <Select.ItemText>{option.label}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  )
}
