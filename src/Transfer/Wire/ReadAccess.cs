namespace Transfer.Wire;

/// <summary>What every request for an object must bring so that it may be read.</summary>
/// <param name="RequesterPays">Whether the caller agrees to pay for the request.</param>
/// <param name="CustomerKey">The key that the object was encrypted with.</param>
internal sealed record ReadAccess(bool RequesterPays, CustomerKey? CustomerKey)
{
    public static readonly ReadAccess Plain = new(RequesterPays: false, CustomerKey: null);

    /// <summary>Whether <see cref="ObjectInfo.Answer"/>, or <see cref="UploadResult.Answer"/>, is wanted.</summary>
    public bool KeepsAnswer { get; init; }
}
