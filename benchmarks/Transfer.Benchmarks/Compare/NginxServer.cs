using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Transfer.Benchmarks.Macro;

namespace Transfer.Benchmarks.Compare;

/// <summary>
/// nginx over files in memory, dressed as a store: it knows each object's checksum and tells it where S3 does, with HEAD, GetObjectAttributes and
/// a GET of the whole object, but not with a range.
/// </summary>
internal sealed class NginxServer(Process process, Uri endpoint, string directory) : BenchmarkServer(process, endpoint)
{
    private static readonly string[] Places = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"];

    public static string? Executable { get; } = Places.FirstOrDefault(File.Exists);

    public static async Task<BenchmarkServer> StartAsync(IReadOnlyList<long> sizes)
    {
        string directory = Scratch.NewPath();
        string objects = Path.Combine(directory, "objects", BenchmarkStore.Bucket);
        Directory.CreateDirectory(objects);
        Dictionary<string, string> checksums = [];
        foreach (long size in sizes)
        {
            string key = Workbench.ObjectKey(size);
            checksums[$"/{BenchmarkStore.Bucket}/{key}"] = await WriteAsync(Path.Combine(objects, key), size);
        }

        int port = FreePort();
        string configuration = Path.Combine(directory, "nginx.conf");
        await File.WriteAllTextAsync(configuration, Configuration(directory, port, checksums));
        string executable = Executable ?? throw new InvalidOperationException("nginx is not installed.");
        Process process = Process.Start(executable, ["-c", configuration, "-p", directory, "-e", Path.Combine(directory, "error.log")]);
        NginxServer server = new(process, new Uri($"http://127.0.0.1:{port}"), directory);
        await server.WaitUntilItListensAsync();
        return server;
    }

    public override async ValueTask DisposeAsync()
    {
        using Process quit = Process.Start("kill", ["-QUIT", Process.Id.ToString(CultureInfo.InvariantCulture)]);
        await quit.WaitForExitAsync();
        await Process.WaitForExitAsync();
        Process.Dispose();
        Directory.Delete(directory, recursive: true);
    }

    private static async Task<string> WriteAsync(string path, long bytes)
    {
        Crc64Nvme crc = new();
        await using FileStream file = File.Create(path);
        foreach (ReadOnlyMemory<byte> block in TestData.Of(bytes))
        {
            crc.Append(block.Span);
            await file.WriteAsync(block);
        }

        return Crc64Nvme.ToBase64(crc.Value);
    }

    private static string Configuration(string directory, int port, Dictionary<string, string> checksums) => $$"""
        {{(Environment.UserName == "root" ? "user root;" : string.Empty)}}
        daemon off;
        worker_processes 2;
        pid {{directory}}/nginx.pid;
        error_log {{directory}}/error.log;
        events { worker_connections 1024; }
        http {
            access_log off;
            sendfile on;
            tcp_nopush on;
            tcp_nodelay on;
            keepalive_requests 1000000;
            default_type application/octet-stream;
            client_body_temp_path {{directory}}/body;
            proxy_temp_path {{directory}}/proxy;
            fastcgi_temp_path {{directory}}/fastcgi;
            uwsgi_temp_path {{directory}}/uwsgi;
            scgi_temp_path {{directory}}/scgi;
            map $uri $stored {
        {{string.Join('\n', checksums.Select(one => $"        {one.Key} \"{one.Value}\";"))}}
            }
            map $http_range $checksum { "" $stored; default ""; }
            map $checksum $kind { "" ""; default FULL_OBJECT; }
            server {
                listen 127.0.0.1:{{port}};
                root {{directory}}/objects;
                add_header x-amz-checksum-crc64nvme $checksum;
                add_header x-amz-checksum-type $kind;
                add_header x-amz-request-id $request_id;
                if ($args ~ attributes) {
                    return 200 '<?xml version="1.0" encoding="UTF-8"?><GetObjectAttributesResponse xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Checksum><ChecksumCRC64NVME>$stored</ChecksumCRC64NVME><ChecksumType>FULL_OBJECT</ChecksumType></Checksum></GetObjectAttributesResponse>';
                }
            }
        }
        """;

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private async Task WaitUntilItListensAsync()
    {
        for (int attempt = 0; ; attempt++)
        {
            try
            {
                using TcpClient probe = new();
                await probe.ConnectAsync(Endpoint.Host, Endpoint.Port);
                return;
            }
            catch (SocketException) when (attempt < 100 && !Process.HasExited)
            {
                await Task.Delay(50);
            }
        }
    }
}
