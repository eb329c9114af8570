namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The counters of a server at one time, since the start of the measurement.</summary>
/// <param name="Timestamp">The time, by <see cref="System.Diagnostics.Stopwatch"/>, whose clock all processes of a machine share.</param>
/// <param name="Bytes">The bytes of bodies, in both directions.</param>
/// <param name="Received">The bytes of bodies that the server received.</param>
/// <param name="Requests">The number of requests, including rejected ones.</param>
/// <param name="Rejected">The number of requests that were rejected because too many were in flight.</param>
internal readonly record struct ServerSample(long Timestamp, long Bytes, long Received, long Requests, long Rejected);
