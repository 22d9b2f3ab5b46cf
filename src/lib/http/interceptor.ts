/** Watches undici ask a proxy for a tunnel. */
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
 * Asks a proxy for a tunnel. undici takes a proxy that hangs up, an error of the code UND_ERR_SOCKET, for a passing mishap
 * and would ask again at once, thousands of times a second; an error without that code is final.
 */
export const askingOnce: Interceptor = (dispatch) => (options, handler) => {
  const onResponseError: Handler['onResponseError'] = (controller, error) =>
    handler.onResponseError?.(controller, new Error(`no tunnel through the proxy: ${explain(error)}`, { cause: error }))
  return dispatch(options, passingOn(handler, { onResponseError }))
}
