namespace Transfer.Download;

/// <summary>Where the parts of a download go. Parts are admitted and begun in the object's order, one at a time; they fill up in any order.</summary>
internal interface IPartSink
{
    /// <summary>Waits until the next part may start and has memory.</summary>
    /// <returns>How many of <paramref name="wantBytes"/> the part may ask for, and the chunks that it may use.</returns>
    ValueTask<PartGrant> AdmitAsync(long wantBytes, CancellationToken cancellationToken);

    /// <summary>It is known how many bytes will come: called once, before any part is begun.</summary>
    void Open(long length);

    /// <summary>Begins the next part.</summary>
    IPartWriter BeginPart(long offset);

    /// <summary>Nothing more will come.</summary>
    void Fail(Exception error);
}
