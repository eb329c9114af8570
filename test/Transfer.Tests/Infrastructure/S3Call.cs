namespace Transfer.S3.Tests.Infrastructure;

/// <summary>A call to the store.</summary>
internal sealed record S3Call(int Number, string Operation, string Key, long? First = null, long? Last = null, string? IfMatch = null, int? Part = null, object? Request = null)
{
    public const string Get = "Get";
    public const string Head = "Head";
    public const string Attributes = "Attributes";
    public const string ListUploads = "ListUploads";
    public const string Put = "Put";
    public const string Create = "Create";
    public const string UploadPart = "UploadPart";
    public const string Complete = "Complete";
    public const string ListParts = "ListParts";
    public const string Abort = "Abort";
    public const string List = "List";
    public const string Copy = "Copy";
    public const string CopyPart = "CopyPart";
    public const string Delete = "Delete";
    public const string DeleteBatch = "DeleteBatch";
}
