namespace Transfer.S3.Bench.Workloads;

/// <summary>The exception that is thrown when a file or an object isn't as the workload says.</summary>
internal sealed class WorkloadException(string message, string key, Exception? innerException = null) : Exception(message, innerException)
{
    /// <summary>Gets the key of the object.</summary>
    public string Key { get; } = key;
}
