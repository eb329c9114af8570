using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Transfer.S3.Benchmarks.Macro;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>
/// nginx as a store, with files in memory. Like S3, it returns checksums with HEAD, GetObjectAttributes, and a GET of a whole object, but not with
/// a range, except if the range is all of a small object, which is stored in one part.
/// </summary>
internal sealed class NginxServer(Process process, Uri endpoint, string directory) : BenchmarkServer(process, endpoint)
{
    private const long SmallBytes = 64 * 1024;
    private const string CertificateName = "certificate.pem";
    private const string KeyName = "key.pem";
    private static readonly string[] Places = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"];

    public static string? Executable { get; } = Places.FirstOrDefault(File.Exists);

    public static new async Task<BenchmarkServer> StartAsync(ServerKind kind, Contest contest, IReadOnlyList<long> sizes)
    {
        string directory = Scratch.NewPath();
        string objects = Path.Combine(directory, "objects", BenchmarkStore.Bucket);
        Directory.CreateDirectory(objects);
        Dictionary<string, string> checksums = [];
        List<string> small = [];
        if (contest.IsTree)
        {
            Tree.Write(Path.Combine(objects, Tree.Prefix), sizes[0], contest.ObjectsPerRun);
            WritePages(directory, objects, sizes[0], contest.ObjectsPerRun);
        }

        string treeChecksum = contest.IsTree ? Crc.Crc64Nvme.ToBase64(Crc.Crc64Nvme.Compute(TestData.Create(sizes[0]).First.Span)) : string.Empty;
        foreach (long size in contest.IsTree ? [] : sizes)
        {
            string key = Workbench.ObjectKey(size);
            string uri = $"/{BenchmarkStore.Bucket}/{key}";
            if (size <= SmallBytes)
            {
                small.Add(uri);
            }

            checksums[uri] = await WriteAsync(Path.Combine(objects, key), contest.Content(size));
        }

        string? certificatePath = kind == ServerKind.NginxTls ? await WriteCertificateAsync(directory) : null;
        int port = ServerProcess.FreePort();
        string configuration = Path.Combine(directory, "nginx.conf");
        await File.WriteAllTextAsync(configuration, Configuration(directory, port, checksums, small, treeChecksum, certificatePath is not null));
        string executable = Executable ?? throw new InvalidOperationException("nginx is not installed.");
        Process process = Process.Start(executable, ["-c", configuration, "-p", directory, "-e", Path.Combine(directory, "error.log")]);
        NginxServer server = new(process, new Uri($"{(certificatePath is null ? "http" : "https")}://127.0.0.1:{port}"), directory) { CertificatePath = certificatePath };
        await server.WaitUntilItListensAsync();
        return server;
    }

    public override async ValueTask DisposeAsync()
    {
        await ServerProcess.EndAsync(Process, "QUIT");
        Directory.Delete(directory, recursive: true);
    }

    private static async Task<string> WriteAsync(string path, ReadOnlySequence<byte> content)
    {
        ulong crc = 0;
        await using FileStream file = File.Create(path);
        foreach (ReadOnlyMemory<byte> block in content)
        {
            crc = Crc.Crc64Nvme.Append(crc, block.Span);
            await file.WriteAsync(block);
        }

        return Crc.Crc64Nvme.ToBase64(crc);
    }

    /// <summary>Writes the listing of the tree as files. Each continuation token is the number of the next page.</summary>
    private static void WritePages(string directory, string objects, long size, int count)
    {
        const int pageObjects = 1000;
        string pages = Path.Combine(directory, "pages");
        Directory.CreateDirectory(pages);
        for (int first = 0, page = 1; first < count; first += pageObjects, page++)
        {
            StringBuilder xml = new("""<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">""");
            bool isLast = first + pageObjects >= count;
            xml.Append(CultureInfo.InvariantCulture, $"<Name>{BenchmarkStore.Bucket}</Name><Prefix>{Tree.Prefix}/</Prefix><KeyCount>{pageObjects}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>{(isLast ? "false" : "true")}</IsTruncated>");
            if (!isLast)
            {
                xml.Append(CultureInfo.InvariantCulture, $"<NextContinuationToken>{page + 1}</NextContinuationToken><NextMarker>{page + 1}</NextMarker>");
            }

            for (int i = first; i < Math.Min(count, first + pageObjects); i++)
            {
                string name = Tree.Name(i);
                DateTimeOffset written = new(File.GetLastWriteTimeUtc(Path.Combine(objects, Tree.Prefix, name)));
                string etag = string.Create(CultureInfo.InvariantCulture, $"{written.ToUnixTimeSeconds():x}-{size:x}"); // the format of nginx
                xml.Append(CultureInfo.InvariantCulture, $"<Contents><Key>{Tree.Prefix}/{name}</Key><LastModified>{written:yyyy-MM-ddTHH:mm:ss}.000Z</LastModified><ETag>&quot;{etag}&quot;</ETag><Size>{size}</Size><StorageClass>STANDARD</StorageClass></Contents>");
            }

            File.WriteAllText(Path.Combine(pages, $"{page}.xml"), xml.Append("</ListBucketResult>").ToString());
        }
    }

    private static string Configuration(string directory, int port, Dictionary<string, string> checksums, List<string> small, string treeChecksum, bool hasTls) => $$"""
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
            map $args $page { default 1; "~(token|marker)=(?<number>[0-9]+)" $number; }
            map $uri $stored {
                "~/{{Tree.Prefix}}/" "{{treeChecksum}}";
        {{string.Join('\n', checksums.Select(one => $"        {one.Key} \"{one.Value}\";"))}}
            }
            map $uri $small {
                default 0;
                "~/{{Tree.Prefix}}/" 1;
        {{string.Join('\n', small.Select(one => $"        {one} 1;"))}}
            }
            map $http_range $ranged { "" 0; default 1; }
            map "$ranged$small" $checksum { "10" ""; default $stored; }
            map $checksum $kind { "" ""; default FULL_OBJECT; }
            server {
                listen 127.0.0.1:{{port}}{{(hasTls ? " ssl" : string.Empty)}};
                {{(hasTls ? $"ssl_certificate {directory}/{CertificateName}; ssl_certificate_key {directory}/{KeyName};" : string.Empty)}}
                root {{directory}}/objects;
                add_header x-amz-checksum-crc64nvme $checksum;
                add_header x-amz-checksum-type $kind;
                add_header x-amz-request-id $request_id;
                location ~ ^/{{BenchmarkStore.Bucket}}/?$ {
                    default_type application/xml;
                    root {{directory}}/pages;
                    try_files /$page.xml =404;
                }
                if ($args ~ attributes) {
                    return 200 '<?xml version="1.0" encoding="UTF-8"?><GetObjectAttributesResponse xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Checksum><ChecksumCRC64NVME>$stored</ChecksumCRC64NVME><ChecksumType>FULL_OBJECT</ChecksumType></Checksum></GetObjectAttributesResponse>';
                }
            }
        }
        """;

    private static async Task<string> WriteCertificateAsync(string directory)
    {
        string path = Path.Combine(directory, CertificateName);
        await ServerCertificate.WriteAsync(path, Path.Combine(directory, KeyName));
        return path;
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
