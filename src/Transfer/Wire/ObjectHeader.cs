namespace Transfer.S3.Wire;

/// <summary>
/// A header of objects whose value is a text. The rows below are the table of these headers: options, requests, responses, copies, journals, the plans of jobs, and
/// the adapter of TransferUtility read it. Tags, encryption, locks, and metadata have values of their own, which <see cref="ObjectHeaders"/> writes.
/// </summary>
internal sealed class ObjectHeader
{
    public const int Count = 8;

    private static readonly ObjectHeader[] Rows = new ObjectHeader[Count];

    public static readonly ObjectHeader ContentType = new(0, nameof(ContentType), "Content-Type", isKept: true);

    public static readonly ObjectHeader CacheControl = new(1, nameof(CacheControl), "Cache-Control", isKept: true);

    public static readonly ObjectHeader ContentDisposition = new(2, nameof(ContentDisposition), "Content-Disposition", isKept: true);

    public static readonly ObjectHeader ContentEncoding = new(3, nameof(ContentEncoding), "Content-Encoding", isKept: true);

    public static readonly ObjectHeader ContentLanguage = new(4, nameof(ContentLanguage), "Content-Language", isKept: true);

    public static readonly ObjectHeader Expires = new(5, nameof(Expires), "Expires", isKept: true);

    public static readonly ObjectHeader StorageClass = new(6, nameof(StorageClass), "x-amz-storage-class", isKept: false);

    public static readonly ObjectHeader Acl = new(7, nameof(Acl), "x-amz-acl", isKept: false);

    private ObjectHeader(int index, string option, string name, bool isKept)
    {
        (Index, Option, Name, SignedName, IsKept) = (index, option, name, name.ToLowerInvariant(), isKept);
        Rows[index] = this;
    }

    public static ReadOnlySpan<ObjectHeader> All => Rows;

    /// <summary>Gets the place of the value in <see cref="HeaderValues"/>.</summary>
    public int Index { get; }

    /// <summary>Gets the name of the property of <see cref="UploadOptions"/>, which errors name. In the plan of a job, it is in snake case.</summary>
    public string Option { get; }

    public string Name { get; }

    /// <summary>Gets the name in lowercase, as it is signed.</summary>
    public string SignedName { get; }

    /// <summary>Gets a value that indicates whether a copy has the value of its source, unless the options set another one.</summary>
    public bool IsKept { get; }

    /// <summary>Gets a value that indicates whether HTTP defines the header, and not S3.</summary>
    public bool IsOfHttp => !Name.StartsWith("x-amz-", StringComparison.Ordinal);

    public static ObjectHeader? Find(string name) => Array.Find(Rows, header => header.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
}
