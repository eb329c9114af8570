namespace Transfer.S3.Cli.Rendering;

/// <summary>Shows the progress of a transfer. Disposing it removes what it shows.</summary>
internal interface IProgressView : IProgress<TransferProgress>, IMessageView, IDisposable;
