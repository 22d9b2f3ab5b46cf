/** Watches undici carry a request: the moment it departs, and a proxy that gives no tunnel. */
import type { Dispatcher } from 'undici'
import { explain } from './explain.ts'

type Handler = Dispatcher.DispatchHandler
type Interceptor = Dispatcher.DispatcherComposeInterceptor

/** A handler that passes everything on, but for what is done instead. */
function passingOn(handler: Handler, instead: Partial<Handler>): Handler {
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
    ...instead,
  }
}

/**
 * Notes the moment undici hands the request to a connected socket (through a proxy: to the tunnel). Until that moment an
 * objection keeps the request here.
 */
export function noting(departed: () => void, objection: () => string | null): Interceptor {
  return (dispatch) => (options, handler) => {
    const onRequestStart: Handler['onRequestStart'] = (controller, context) => {
      const why = objection()
      if (why !== null) {
        controller.abort(new Error(why))
        return
      }
      departed()
      handler.onRequestStart?.(controller, context)
    }
    return dispatch(options, passingOn(handler, { onRequestStart }))
  }
}

/**
 * Asks a proxy for a tunnel. undici takes a proxy that hangs up, an error of the code UND_ERR_SOCKET, for a passing mishap
 * and would ask again at once, thousands of times a second; an error without that code is final.
 */
export const askingOnce: Interceptor = (dispatch) => (options, handler) => {
  const onResponseError: Handler['onResponseError'] = (controller, error) =>
    handler.onResponseError?.(controller, new Error(`no tunnel through the proxy: ${explain(error)}`, { cause: error }))
  return dispatch(options, passingOn(handler, { onResponseError }))
}
