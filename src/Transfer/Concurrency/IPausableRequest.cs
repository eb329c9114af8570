namespace Transfer.S3.Concurrency;

/// <summary>A request in flight whose transfer can be paused.</summary>
internal interface IPausableRequest
{
    /// <summary>Gets a value that indicates whether the request is suspended indefinitely, so that it doesn't wait for the store.</summary>
    bool IsAtRest { get; }

    /// <summary>Interrupts the request if it can be sent again.</summary>
    bool TryInterrupt();
}
