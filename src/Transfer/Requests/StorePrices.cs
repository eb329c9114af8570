namespace Transfer.S3;

/// <summary>What a store charges for requests and for content. Every price is 0 unless it is set.</summary>
/// <remarks>A GB is 10^9 bytes, as in the price lists of stores.</remarks>
public sealed record StorePrices
{
    private const decimal BytesPerGB = 1_000_000_000;
    private const decimal Thousand = 1_000;

    /// <summary>Gets the currency of all prices.</summary>
    /// <value>The default is <c>USD</c>.</value>
    public string Currency { get; init; } = "USD";

    /// <summary>Gets the price of 1,000 requests that write or copy (<see cref="StoreUsage.Writes"/>).</summary>
    public decimal WritesPer1000 { get; init; }

    /// <summary>Gets the price of 1,000 requests that list (<see cref="StoreUsage.Lists"/>).</summary>
    public decimal ListsPer1000 { get; init; }

    /// <summary>Gets the price of 1,000 requests that read (<see cref="StoreUsage.Reads"/>).</summary>
    public decimal ReadsPer1000 { get; init; }

    /// <summary>Gets the price of 1,000 requests that delete or abort (<see cref="StoreUsage.Deletes"/>).</summary>
    public decimal DeletesPer1000 { get; init; }

    /// <summary>Gets the price of a GB that is sent to the store (<see cref="StoreUsage.BytesSent"/>).</summary>
    public decimal SentPerGB { get; init; }

    /// <summary>Gets the price of a GB that is received from the store (<see cref="StoreUsage.BytesReceived"/>).</summary>
    public decimal ReceivedPerGB { get; init; }

    /// <summary>Gets the price of a GB that the store copies itself (<see cref="StoreUsage.BytesCopied"/>).</summary>
    public decimal CopiedPerGB { get; init; }

    /// <summary>Gets the amount for a usage, without the storage that it fills.</summary>
    /// <param name="usage">The usage.</param>
    public decimal GetAmount(StoreUsage usage)
        => (((usage.Writes * WritesPer1000) + (usage.Lists * ListsPer1000) + (usage.Reads * ReadsPer1000) + (usage.Deletes * DeletesPer1000)) / Thousand)
            + (((usage.BytesSent * SentPerGB) + (usage.BytesReceived * ReceivedPerGB) + (usage.BytesCopied * CopiedPerGB)) / BytesPerGB);
}
