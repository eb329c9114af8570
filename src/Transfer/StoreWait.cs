namespace Transfer.S3;

/// <summary>What the requests of a client wait for, while the store neither responds nor sends or receives data.</summary>
/// <example>
/// <code>
/// if (client.Waiting is { } wait &amp;&amp; wait.Silence > TimeSpan.FromSeconds(5))
/// {
///     Console.WriteLine($"The store has been silent for {wait.Silence.TotalSeconds:0} s. This is attempt {wait.Attempt}. {wait.Reason}");
/// }
/// </code>
/// </example>
public readonly record struct StoreWait
{
    /// <summary>Gets the time since the last sign of the store, or since the first request that waits for it.</summary>
    public TimeSpan Silence { get; init; }

    /// <summary>Gets the number of the attempt: 1 for the first one, and one more for each that has failed.</summary>
    public int Attempt { get; init; }

    /// <summary>
    /// Gets the largest number of attempts; <see langword="null"/> if they are limited by time, such as those of a store that throttles, or that can't be reached
    /// (<see cref="TransferClientOptions.RetryFor"/>).
    /// </summary>
    public int? MaxAttempts { get; init; }

    /// <summary>Gets why the last attempt failed; <see langword="null"/> if none has.</summary>
    public string? Reason { get; init; }
}
