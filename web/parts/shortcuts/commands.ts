/** Carries out a command with the handlers of the desk. */
import { handlerOf } from './registry.ts'
import { focusPane } from './panes.ts'
import { type Command, intervalOf } from './table.ts'

/** The function of a command that can be carried out now. Those of the palette, the help and held keys are the listener's own. */
export function actionOf(command: Command): (() => void) | undefined {
  const interval = intervalOf(command)
  if (interval !== undefined) {
    const intervals = handlerOf('intervals')
    return intervals?.choices.includes(interval) === true ? () => intervals.choose(interval) : undefined
  }
  switch (command) {
    case 'buy':
    case 'sell': {
      const side = handlerOf('side')
      return side && (() => side(command))
    }
    case 'previous':
    case 'next': {
      const step = handlerOf('step')
      return step && (() => step(command === 'next' ? 1 : -1))
    }
    case 'next-pane':
    case 'previous-pane':
      return focusPane(command === 'next-pane' ? 1 : -1)
    case 'send':
      return handlerOf('preview')
    case 'link':
      return handlerOf('link')
    default:
      return undefined
  }
}
