namespace Transfer.Wire;

/// <summary>Which object, where known which state of it, and what it takes to read it.</summary>
internal readonly record struct ObjectAddress(string Bucket, string Key, string? VersionId = null, ReadAccess? Reading = null)
{
    public ReadAccess Access => Reading ?? ReadAccess.Plain;

    public override string ToString() => $"s3://{Bucket}/{Key}";
}
