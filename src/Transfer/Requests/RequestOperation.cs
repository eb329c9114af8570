namespace Transfer.S3.Requests;

/// <summary>The name of an S3 operation in spans (Amazon S3 API Reference), and the attributes that are the same in all of its spans.</summary>
internal sealed class RequestOperation
{
    public const string Service = "S3";

    private static readonly RequestOperation[] Kinds = [.. Enum.GetValues<RequestKind>().Select(static kind => new RequestOperation(kind == RequestKind.ListObjects ? "ListObjectsV2" : kind.ToString()))];

    private RequestOperation(string name)
    {
        SpanName = GetSpanName(name);
        Attributes = [.. TransferActivity.ServiceAttributes, new("rpc.method", name)];
    }

    /// <summary>Gets the listing of versions, which is of the same kind as that of objects.</summary>
    public static RequestOperation ListObjectVersions { get; } = new("ListObjectVersions");

    public string SpanName { get; }

    /// <summary>Gets the attributes that a sampler sees. They are created once, and not for each span.</summary>
    public KeyValuePair<string, object?>[] Attributes { get; }

    public static RequestOperation Get(RequestKind kind) => Kinds[(int)kind];

    public static string GetSpanName(string operation) => $"{Service}.{operation}";
}
