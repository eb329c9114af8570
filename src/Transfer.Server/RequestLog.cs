namespace Transfer.S3.Server;

/// <summary>The latest requests, oldest first. When the log is full, a new request replaces the oldest one.</summary>
internal sealed class RequestLog(int capacity)
{
    private readonly Lock _lock = new();
    private readonly Queue<RequestRecord> _records = new();

    public void Add(RequestRecord record)
    {
        lock (_lock)
        {
            if (_records.Count == capacity)
            {
                _records.Dequeue();
            }

            _records.Enqueue(record);
        }
    }

    public IReadOnlyList<RequestRecord> Snapshot()
    {
        lock (_lock)
        {
            return [.. _records];
        }
    }

    public void Clear()
    {
        lock (_lock)
        {
            _records.Clear();
        }
    }
}
