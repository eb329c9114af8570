namespace Transfer.Wire;

/// <summary>The objects to list.</summary>
/// <param name="Bucket">The bucket.</param>
/// <param name="Prefix">The prefix of the keys.</param>
/// <param name="Access">The access options.</param>
internal sealed record ListQuery(string Bucket, string Prefix, ReadAccess Access);
