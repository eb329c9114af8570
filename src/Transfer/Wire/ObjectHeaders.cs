namespace Transfer.S3.Wire;

/// <summary>The headers of a new object. Null means the default of the store.</summary>
internal sealed record ObjectHeaders
{
    /// <summary>Gets the headers whose values are texts.</summary>
    public HeaderValues Values { get; init; }

    /// <summary>Gets the user metadata, with names without <c>x-amz-meta-</c>.</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    public IReadOnlyDictionary<string, string>? Tags { get; init; }

    public ObjectEncryption? Encryption { get; init; }

    public ObjectLock? Lock { get; init; }

    /// <summary>Calls an action with the lowercase name and the value of each header that is set.</summary>
    /// <param name="state">What the action uses, so that it needn't capture it.</param>
    /// <param name="action">The action.</param>
    public void ForEach<T>(T state, Action<T, string, string> action)
    {
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            Call(header.SignedName, Values[header]);
        }

        Call("x-amz-tagging", Tags is { Count: > 0 } tags ? string.Join('&', tags.Select(tag => $"{Uri.EscapeDataString(tag.Key)}={Uri.EscapeDataString(tag.Value)}")) : null);
        Call("x-amz-object-lock-legal-hold", Lock?.LegalHoldHeader);
        Call("x-amz-object-lock-mode", Lock?.ModeHeader);
        Call("x-amz-object-lock-retain-until-date", Lock?.RetainUntilHeader);
        Call("x-amz-server-side-encryption", Encryption?.Algorithm);
        Call("x-amz-server-side-encryption-aws-kms-key-id", Encryption?.KeyId);
        Call("x-amz-server-side-encryption-bucket-key-enabled", Encryption?.UsesBucketKey is { } uses ? (uses ? "true" : "false") : null);
        Call("x-amz-server-side-encryption-context", Encryption?.Context);
        if (Metadata is { } metadata)
        {
            foreach ((string name, string value) in metadata)
            {
                Call(ResponseHeader.MetadataPrefix + name.ToLowerInvariant(), value);
            }
        }

        void Call(string name, string? value)
        {
            if (value is not null)
            {
                action(state, name, value);
            }
        }
    }
}
