namespace Transfer.Concurrency;

/// <summary>A request in flight whose transfer can be paused.</summary>
internal interface IPausableRequest
{
    /// <summary>Gets a value that indicates whether nobody waits for the store, for long.</summary>
    bool IsAtRest { get; }

    /// <summary>Interrupts the request, if it can be sent again.</summary>
    bool TryInterrupt();
}
