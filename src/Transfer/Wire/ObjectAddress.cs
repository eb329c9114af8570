namespace Transfer.S3.Wire;

/// <summary>The address of an object, optionally of one version, with the access options to read it.</summary>
internal readonly record struct ObjectAddress(string Bucket, string Key, string? VersionId = null, ReadAccess? Reading = null)
{
    public ReadAccess Access => Reading ?? ReadAccess.Plain;

    /// <summary>Gets the same address for a request whose response headers are all needed.</summary>
    public ObjectAddress WithHeaders => this with { Reading = Access with { KeepsHeaders = true } };

    /// <summary>Gets the same address for requests whose responses are kept.</summary>
    public ObjectAddress WithAnswer => this with { Reading = Access with { KeepsAnswer = true } };

    public override string ToString() => $"s3://{Bucket}/{Key}";
}
