namespace Transfer.Benchmarks.Compare;

/// <summary>The counters of a server at one time, since the measurement began.</summary>
/// <param name="Timestamp">The time, by <see cref="System.Diagnostics.Stopwatch"/>, whose clock all processes of a machine share.</param>
/// <param name="Bytes">Bytes of bodies, in both directions.</param>
/// <param name="Received">Those of them that the server received.</param>
/// <param name="Requests">Requests, those that were rejected included.</param>
/// <param name="Rejected">Requests that were rejected because too many were in flight.</param>
internal readonly record struct ServerSample(long Timestamp, long Bytes, long Received, long Requests, long Rejected);
