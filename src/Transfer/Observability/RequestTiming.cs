namespace Transfer;

/// <summary>How long one request took: one attempt, from the moment that it is handed to the connection; the wait for its turn is not part of it.</summary>
/// <param name="Kind">What it asked for.</param>
/// <param name="FirstByte">Until the headers of its answer were there; of an upload, the sending of its body is in it.</param>
/// <param name="Duration">
/// Until the end of its answer. Of a <see cref="RequestKind.GetObject"/> until the last byte of the body was read, and so with what its reader made it wait.
/// </param>
/// <param name="Bytes">Bytes of an object that it brought or, where it succeeded, sent.</param>
/// <param name="Error">What it failed with; an <see cref="OperationCanceledException"/> where it was given up before its end, by its caller or, before its
/// headers, because nothing moved for <see cref="TransferClientOptions.StallTimeout"/>; null where it succeeded.</param>
public readonly record struct RequestTiming(RequestKind Kind, TimeSpan FirstByte, TimeSpan Duration, long Bytes, Exception? Error);
