namespace Transfer.Wire;

/// <summary>Which object, and where known which state of it.</summary>
internal readonly record struct ObjectAddress(string Bucket, string Key, string? VersionId = null)
{
    public override string ToString() => $"s3://{Bucket}/{Key}";
}
