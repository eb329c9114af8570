using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Server;

namespace Transfer.S3.Cli.Commands;

/// <summary>Writes the text that is shown when the server is ready: its address and commands to copy.</summary>
internal static class ServeBanner
{
    public static void Write(ToolConsole console, EmbeddedS3Server server, EmbeddedS3ServerOptions options)
    {
        string endpoint = server.Endpoint.GetLeftPart(UriPartial.Authority);
        bool isDefaultSecret = server.SecretAccessKey == new EmbeddedS3ServerOptions().SecretAccessKey;
        TextWriter error = console.Error;
        error.WriteLine($"Serving S3 on {endpoint} ({Storage(options)}). Press Ctrl+C to stop.");
        error.WriteLine();
        error.WriteLine($"  export AWS_ENDPOINT_URL_S3={endpoint} AWS_ACCESS_KEY_ID={Printable.Text(server.AccessKeyId)}");
        error.WriteLine($"  export AWS_SECRET_ACCESS_KEY={(isDefaultSecret ? server.SecretAccessKey : "...   # the secret access key of the server")}");
        error.WriteLine(options.Buckets.Count > 0 ? $"  transfer cp README.md s3://{Printable.Text(options.Buckets[0])}/" : "  transfer ls");
        error.Flush();
    }

    private static string Storage(EmbeddedS3ServerOptions options) => options switch
    {
        { Replay: { } file } => $"the responses in {Printable.Text(file)}",
        { Directory: { } folder } => $"objects in {Printable.Text(folder)}",
        { Discard: true } => "content is discarded",
        _ => "objects in memory",
    };
}
