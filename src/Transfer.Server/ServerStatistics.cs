using Transfer.Server.Http;

namespace Transfer.Server;

/// <summary>Counters of a running server. They are live: every read gives the value of that moment. Safe from any thread.</summary>
/// <remarks>A request is counted before its answer begins, so a client that has its answer finds itself counted.</remarks>
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

    /// <summary>Requests by S3 operation name, operations never seen left out; a snapshot.</summary>
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

    /// <summary>All requests since the start or the last <see cref="Reset"/>.</summary>
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

    /// <summary>Gets the number of requests that got 503 SlowDown because of <see cref="EmbeddedS3ServerOptions.MaxRequests"/>, since the start or the last <see cref="Reset"/>.</summary>
    public long RejectedRequests => Volatile.Read(ref _rejectedRequests);

    /// <summary>Bytes of request bodies that were read, after aws-chunked decoding; headers are not counted.</summary>
    public long BytesReceived => Volatile.Read(ref _bytesReceived);

    /// <summary>Bytes of response bodies that were handed to the connection; headers are not counted.</summary>
    public long BytesSent => Volatile.Read(ref _bytesSent);

    /// <summary>Multipart uploads that are neither completed nor aborted.</summary>
    public int OpenMultipartUploads => Volatile.Read(ref _openMultipartUploads);

    /// <summary>Connections that are open now.</summary>
    public int OpenConnections => Volatile.Read(ref _openConnections);

    /// <summary>Connections accepted since the start or the last <see cref="Reset"/>.</summary>
    public long AcceptedConnections => Volatile.Read(ref _acceptedConnections);

    /// <summary>Requests whose handling has not ended.</summary>
    public int ActiveRequests => Volatile.Read(ref _activeRequests);

    /// <summary>Requests and connections that met a fault, by fault, those never met left out; a snapshot.</summary>
    public IReadOnlyDictionary<ServerFault, long> Faults =>
        Enum.GetValues<ServerFault>().Where(fault => FaultCount(fault) > 0).ToDictionary(static fault => fault, FaultCount);

    /// <summary>How many requests, or connections, met one fault.</summary>
    /// <param name="fault">The fault.</param>
    /// <returns>Their number; 0 for a fault that is none.</returns>
    public long FaultCount(ServerFault fault) => Enum.IsDefined(fault) ? Volatile.Read(ref _faults[(int)fault]) : 0;

    /// <summary>How often one operation was asked for.</summary>
    /// <param name="operation">The S3 operation's name, for example <c>UploadPart</c>.</param>
    /// <returns>The number of requests; 0 for a name that the server does not know.</returns>
    public long RequestCount(string operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return Enum.TryParse(operation, ignoreCase: false, out S3Operation parsed) && Enum.IsDefined(parsed)
            ? Volatile.Read(ref _requests[(int)parsed])
            : 0;
    }

    /// <summary>Sets requests, rejections, faults, bytes and accepted connections back to zero. What is open stays counted.</summary>
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
