using Transfer.S3.Server.Http;

namespace Transfer.S3.Server;

/// <summary>The counters of a running server. Every property returns its current value.</summary>
/// <remarks>
/// A request is counted before its response begins, so a client that has received its response has been counted. All members are thread-safe.
/// </remarks>
public sealed class ServerStatistics
{
    private readonly long[] _requests = new long[Enum.GetValues<S3Operation>().Length];
    private readonly long[] _faults = new long[Enum.GetValues<ServerFault>().Length];
    private long _bytesReceived;
    private long _bytesSent;
    private int _openConnections;
    private long _acceptedConnections;
    private long _rejectedRequests;
    private int _activeRequests;
    private int _openMultipartUploads;

    internal ServerStatistics()
    {
    }

    /// <summary>Gets a snapshot of the numbers of requests by S3 operation. Operations without requests are not included.</summary>
    public IReadOnlyDictionary<string, long> RequestsByOperation
    {
        get
        {
            var counts = new Dictionary<string, long>(StringComparer.Ordinal);
            foreach (S3Operation operation in Enum.GetValues<S3Operation>())
            {
                long count = Volatile.Read(ref _requests[(int)operation]);
                if (count > 0)
                {
                    counts[operation.ToString()] = count;
                }
            }

            return counts;
        }
    }

    /// <summary>Gets the number of requests since the start or the last <see cref="Reset"/>.</summary>
    public long TotalRequests
    {
        get
        {
            long total = 0;
            for (int i = 0; i < _requests.Length; i++)
            {
                total += Volatile.Read(ref _requests[i]);
            }

            return total;
        }
    }

    /// <summary>
    /// Gets the number of requests that were rejected with 503 SlowDown because of <see cref="EmbeddedS3ServerOptions.MaxRequests"/>, since the start or the last
    /// <see cref="Reset"/>.
    /// </summary>
    public long RejectedRequests => Volatile.Read(ref _rejectedRequests);

    /// <summary>
    /// Gets the number of bytes of request bodies that were received, after aws-chunked decoding and without headers, since the start or the last
    /// <see cref="Reset"/>.
    /// </summary>
    public long BytesReceived => Volatile.Read(ref _bytesReceived);

    /// <summary>
    /// Gets the number of bytes of response bodies that were passed to connections, without headers, since the start or the last <see cref="Reset"/>.
    /// </summary>
    public long BytesSent => Volatile.Read(ref _bytesSent);

    /// <summary>Gets the number of multipart uploads that are neither completed nor aborted.</summary>
    public int OpenMultipartUploads => Volatile.Read(ref _openMultipartUploads);

    /// <summary>Gets the number of connections that are currently open.</summary>
    public int OpenConnections => Volatile.Read(ref _openConnections);

    /// <summary>Gets the number of connections that were accepted since the start or the last <see cref="Reset"/>.</summary>
    public long AcceptedConnections => Volatile.Read(ref _acceptedConnections);

    /// <summary>Gets the number of requests that are currently being handled.</summary>
    public int ActiveRequests => Volatile.Read(ref _activeRequests);

    /// <summary>Gets a snapshot of the numbers of requests and connections that were affected by each fault. Faults that affected none are not included.</summary>
    public IReadOnlyDictionary<ServerFault, long> Faults =>
        Enum.GetValues<ServerFault>().Where(fault => FaultCount(fault) > 0).ToDictionary(static fault => fault, FaultCount);

    /// <summary>Gets the number of requests or connections that were affected by a fault.</summary>
    /// <param name="fault">The fault.</param>
    /// <returns>The number; 0 for an undefined value.</returns>
    public long FaultCount(ServerFault fault) => Enum.IsDefined(fault) ? Volatile.Read(ref _faults[(int)fault]) : 0;

    /// <summary>Gets the number of requests for an operation.</summary>
    /// <param name="operation">The name of the S3 operation, for example <c>UploadPart</c>.</param>
    /// <returns>The number; 0 for an unknown name.</returns>
    public long RequestCount(string operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return Enum.TryParse(operation, ignoreCase: false, out S3Operation parsed) && Enum.IsDefined(parsed)
            ? Volatile.Read(ref _requests[(int)parsed])
            : 0;
    }

    /// <summary>Resets the numbers of requests, rejections, faults, bytes, and accepted connections to zero. Open connections and uploads stay counted.</summary>
    public void Reset()
    {
        for (int i = 0; i < _requests.Length; i++)
        {
            Interlocked.Exchange(ref _requests[i], 0);
        }

        for (int i = 0; i < _faults.Length; i++)
        {
            Interlocked.Exchange(ref _faults[i], 0);
        }

        Interlocked.Exchange(ref _bytesReceived, 0);
        Interlocked.Exchange(ref _bytesSent, 0);
        Interlocked.Exchange(ref _acceptedConnections, 0);
        Interlocked.Exchange(ref _rejectedRequests, 0);
    }

    internal void CountRequest(S3Operation operation) => Interlocked.Increment(ref _requests[(int)operation]);

    internal void CountFault(ServerFault fault) => Interlocked.Increment(ref _faults[(int)fault]);

    internal void CountRejection() => Interlocked.Increment(ref _rejectedRequests);

    internal void AddReceived(long bytes) => Interlocked.Add(ref _bytesReceived, bytes);

    internal void AddSent(long bytes) => Interlocked.Add(ref _bytesSent, bytes);

    internal void ChangeOpenUploads(int by) => Interlocked.Add(ref _openMultipartUploads, by);

    internal void RequestStarted() => Interlocked.Increment(ref _activeRequests);

    internal void RequestEnded() => Interlocked.Decrement(ref _activeRequests);

    internal void ConnectionOpened()
    {
        Interlocked.Increment(ref _openConnections);
        Interlocked.Increment(ref _acceptedConnections);
    }

    internal void ConnectionClosed() => Interlocked.Decrement(ref _openConnections);
}
