namespace Transfer.S3.Wire;

/// <summary>Is told that bytes of a response arrive while a request is being sent, because its body is read before the request ends.</summary>
internal interface IResponseWatch
{
    /// <summary>Reports bytes. It is called on the thread that reads them, and must return quickly.</summary>
    void BytesArrived(int count);
}
