namespace Transfer.S3.Wire;

/// <summary>The access options of every request for an object.</summary>
/// <param name="RequesterPays">Whether the requester pays for the request.</param>
/// <param name="CustomerKey">The key that the object was encrypted with.</param>
internal sealed record ReadAccess(bool RequesterPays, CustomerKey? CustomerKey)
{
    public static readonly ReadAccess Plain = new(RequesterPays: false, CustomerKey: null);

    /// <summary>Gets a value that indicates whether <see cref="ObjectHead.Answer"/> is needed.</summary>
    public bool KeepsAnswer { get; init; }

    /// <summary>Gets a value that indicates whether <see cref="ObjectHead.Headers"/> is needed.</summary>
    public bool KeepsHeaders { get; init; }
}
