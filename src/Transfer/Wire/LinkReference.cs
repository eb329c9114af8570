namespace Transfer.S3.Wire;

/// <summary>The link of a client. What opens its connections sets it, if that is the library.</summary>
internal sealed class LinkReference
{
    private volatile ILink? _link;

    /// <summary>Gets or sets the link; null until the first connection, or if other code connects to the store.</summary>
    public ILink? Link
    {
        get => _link;
        set => _link = value;
    }
}
