// Written by scripts/types.mjs from the OpenAPI document of the service.

export interface paths {
    "/v1/3d-scene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Picture
                         * Format: uri
                         * @description What a model of a provider follows.
                         */
                        imageUrl?: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Prompt
                         * Format: textarea
                         * @description What to build, such as: three tall pines next to a red house.
                         */
                        prompt?: string;
                        /**
                         * Provider
                         * @description Who builds.
                         * @default local
                         * @enum {string}
                         */
                        provider?: "local";
                        /**
                         * Scene
                         * @description Scene JSON, which is built as it stands; it wins over the prompt.
                         */
                        scene?: Record<string, never>;
                        /**
                         * Seed
                         * @description The same prompt and seed give the same model; empty takes a new one each time.
                         */
                        seed?: number;
                        /**
                         * STL
                         * @description Whether to make a file for 3D printers too.
                         * @default false
                         */
                        stl?: boolean;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/add-audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Audio
                         * Format: uri
                         * @description The sound.
                         */
                        audioUrl: string;
                        /**
                         * Loop
                         * @description Repeats a sound that is shorter than the video.
                         * @default false
                         */
                        loop?: boolean;
                        /**
                         * Mode
                         * @description replace takes the own sound of the video away, mix keeps it below.
                         * @default replace
                         * @enum {string}
                         */
                        mode?: "replace" | "mix";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Video
                         * Format: uri
                         * @description The video.
                         */
                        videoUrl: string;
                        /**
                         * Volume
                         * @description Of the sound, in percent.
                         * @default 100
                         */
                        volume?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/animate-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Aspect ratio
                         * @description Width to height of the video.
                         * @default 16:9
                         * @enum {string}
                         */
                        aspectRatio?: "16:9" | "1:1" | "9:16" | "4:3" | "3:4";
                        /**
                         * Duration
                         * @description In seconds.
                         * @default 5
                         */
                        duration?: number;
                        /**
                         * Image
                         * Format: uri
                         * @description The image to animate.
                         */
                        imageUrl: string;
                        /**
                         * Intensity
                         * @description How far the camera moves, in percent of the image.
                         * @default 20
                         */
                        intensity?: number;
                        /**
                         * Motion
                         * @description How the camera moves.
                         * @default zoom-in
                         * @enum {string}
                         */
                        motion?: "zoom-in" | "zoom-out" | "pan-right" | "pan-left" | "pan-up" | "pan-down";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Resolution
                         * @description Length of the shorter side in pixels.
                         * @default 720p
                         * @enum {string}
                         */
                        resolution?: "720p" | "480p" | "1080p";
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/combine-text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Separator
                         * @description Stands between two texts.
                         * @default
                         */
                        separator?: string;
                        /**
                         * Texts
                         * @description Connect any number of texts, or write them here.
                         */
                        texts?: string[];
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/compose-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Image
                         * Format: uri
                         * @description The image below.
                         */
                        imageUrl: string;
                        /**
                         * Margin
                         * @description Distance from the edge in percent of the shorter side.
                         * @default 4
                         */
                        margin?: number;
                        /**
                         * Opacity
                         * @description In percent.
                         * @default 100
                         */
                        opacity?: number;
                        /**
                         * Overlay
                         * Format: uri
                         * @description The image on top.
                         */
                        overlayUrl: string;
                        /**
                         * Position
                         * @description Where on the image the overlay lies.
                         * @default center
                         * @enum {string}
                         */
                        position?: "center" | "top-left" | "top" | "top-right" | "left" | "right" | "bottom-left" | "bottom" | "bottom-right";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Scale
                         * @description Width of the overlay in percent of the image.
                         * @default 30
                         */
                        scale?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/concat-video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Aspect ratio
                         * @description Width to height of the video.
                         * @default 16:9
                         * @enum {string}
                         */
                        aspectRatio?: "16:9" | "1:1" | "9:16" | "4:3" | "3:4";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Resolution
                         * @description Length of the shorter side in pixels.
                         * @default 720p
                         * @enum {string}
                         */
                        resolution?: "720p" | "480p" | "1080p";
                        /**
                         * Videos
                         * @description Two to ten videos.
                         */
                        videoUrls: string[];
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/condition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Expression
                         * Format: textarea
                         * @description Must yield true or false.
                         */
                        expression: string;
                        /**
                         * Input
                         * @description Called input in the expression.
                         */
                        input?: unknown;
                        /**
                         * If false
                         * @description Passed on when false.
                         */
                        otherwise?: unknown;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * If true
                         * @description Passed on when true; without it the input is.
                         */
                        then?: unknown;
                        /**
                         * Values
                         * @description Called values.name in the expression.
                         */
                        values?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert-audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Audio
                         * Format: uri
                         * @description The sound to convert.
                         */
                        audioUrl: string;
                        /**
                         * Format
                         * @description Of the file that comes out.
                         * @default mp3
                         * @enum {string}
                         */
                        format?: "mp3" | "wav" | "ogg" | "flac" | "m4a";
                        /**
                         * Normalize
                         * @description Brings the loudness to a common level.
                         * @default false
                         */
                        normalize?: boolean;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/convert-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Background
                         * @description Stands for transparency in a JPEG.
                         * @default #ffffff
                         */
                        background?: string;
                        /**
                         * Format
                         * @description Of the file that comes out.
                         * @default png
                         * @enum {string}
                         */
                        format?: "png" | "jpeg" | "gif";
                        /**
                         * Image
                         * Format: uri
                         * @description The image to convert.
                         */
                        imageUrl: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Quality
                         * @description Of a JPEG, in percent.
                         * @default 90
                         */
                        quality?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/crop-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Aspect ratio
                         * @description free cuts the box below, the others the largest part from the middle.
                         * @default free
                         * @enum {string}
                         */
                        aspectRatio?: "free" | "1:1" | "16:9" | "9:16" | "4:3" | "3:4";
                        /**
                         * Height
                         * @description In pixels; empty reaches to the bottom.
                         */
                        height?: number;
                        /**
                         * Image
                         * Format: uri
                         * @description The image to cut.
                         */
                        imageUrl: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Width
                         * @description In pixels; empty reaches to the right edge.
                         */
                        width?: number;
                        /**
                         * Left
                         * @description In pixels from the left.
                         * @default 0
                         */
                        x?: number;
                        /**
                         * Top
                         * @description In pixels from the top.
                         * @default 0
                         */
                        y?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/csv-parse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Header
                         * @description The first line names the columns.
                         * @default true
                         */
                        header?: boolean;
                        /**
                         * Numbers
                         * @description Turns cells that are numbers into numbers.
                         * @default true
                         */
                        numbers?: boolean;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Separator
                         * @description With auto the first line decides, which may name it as in sep=; alone.
                         * @default auto
                         * @enum {string}
                         */
                        separator?: "auto" | "," | ";" | "tab" | "|";
                        /**
                         * CSV
                         * Format: textarea
                         * @description The table as text.
                         */
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/delay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Input
                         * @description Passed on unchanged after the wait.
                         */
                        input?: unknown;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Seconds
                         * @description How long to wait.
                         * @default 1
                         */
                        seconds?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/detect-faces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Image
                         * Format: uri
                         * @description The picture to look at.
                         */
                        imageUrl: string;
                        /**
                         * Smallest face
                         * @description As part of the picture's shorter side; 0 finds all.
                         * @default 0
                         */
                        minSize?: number;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/download-video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * URL
                         * Format: uri
                         * @description An https address of the video file itself: MP4, MOV, WebM or MKV of at most 500 MiB.
                         */
                        url: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/extract-frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Time
                         * @description In seconds from the start; past the end the last picture is taken.
                         * @default 0
                         */
                        time?: number;
                        /**
                         * Video
                         * Format: uri
                         * @description The video.
                         */
                        videoUrl: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/filter-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Filter
                         * @description What is done to the image.
                         * @default grayscale
                         * @enum {string}
                         */
                        filter?: "grayscale" | "sepia" | "invert" | "brightness" | "contrast" | "saturation" | "blur" | "sharpen" | "flip" | "mirror";
                        /**
                         * Image
                         * Format: uri
                         * @description The image to change.
                         */
                        imageUrl: string;
                        /**
                         * Intensity
                         * @description In percent; for brightness, contrast and saturation below 0 takes away.
                         * @default 50
                         */
                        intensity?: number;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/freecut-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Audio
                         * @description { url, start?, volume?, loop? }
                         */
                        audio?: {
                            /**
                             * Loop
                             * @description Repeats a sound that is shorter than the timeline.
                             * @default false
                             */
                            loop?: boolean;
                            /**
                             * From
                             * @description Second of the sound from which it plays.
                             * @default 0
                             */
                            start?: number;
                            /**
                             * URL
                             * Format: uri
                             * @description A sound that plays under the whole timeline.
                             */
                            url: string;
                            /**
                             * Volume
                             * @description In percent.
                             * @default 100
                             */
                            volume?: number;
                        };
                        /**
                         * Background
                         * @description Of the bars.
                         * @default #000000
                         */
                        background?: string;
                        /**
                         * Captions
                         * @description What is said in each clip, in their order: { text }, or the captions of another timeline export, which is one of the clips.
                         */
                        captions?: {
                            /**
                             * Captions
                             * @description Each with its times, in seconds from the beginning of the clip.
                             */
                            cues?: {
                                /**
                                 * To
                                 * @description Second at which it goes.
                                 */
                                end?: number;
                                /**
                                 * From
                                 * @description Second at which it appears.
                                 */
                                start?: number;
                                /**
                                 * Text
                                 * @description What is said.
                                 */
                                text: string;
                            }[];
                            /**
                             * Text
                             * @description What is said.
                             */
                            text?: string;
                        }[];
                        /**
                         * Clips
                         * @description One to twenty, in the order in which they play.
                         */
                        clips: {
                            /**
                             * Duration
                             * @description Seconds for which an image stands, or a video plays at most.
                             * @default 3
                             */
                            duration?: number;
                            /**
                             * To
                             * @description Second of the video up to which it plays; the end when missing.
                             */
                            end?: number;
                            /**
                             * Fit
                             * @description contain shows all of it with bars, cover fills the frame.
                             * @default contain
                             * @enum {string}
                             */
                            fit?: "contain" | "cover";
                            /**
                             * From
                             * @description Second of the video from which it plays.
                             * @default 0
                             */
                            start?: number;
                            /**
                             * URL
                             * Format: uri
                             * @description A video or an image.
                             */
                            url: string;
                            /**
                             * Volume
                             * @description Of the video's own sound, in percent; 0 is silence.
                             * @default 100
                             */
                            volume?: number;
                        }[];
                        /**
                         * Frame rate
                         * @description Pictures a second.
                         * @default 30
                         */
                        fps?: number;
                        /**
                         * Height
                         * @description In pixels; even.
                         * @default 720
                         */
                        height?: number;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Width
                         * @description In pixels; even.
                         * @default 1280
                         */
                        width?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/generate-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Aspect ratio
                         * @description Width to height of the picture.
                         * @default 1:1
                         * @enum {string}
                         */
                        aspectRatio?: "1:1" | "16:9" | "9:16" | "4:3" | "3:4";
                        /**
                         * Characters
                         * @description Who appears, from the library.
                         */
                        characterIds?: string[];
                        /**
                         * Creatures
                         * @description Animals and beings that appear, from the library.
                         */
                        creatureIds?: string[];
                        /**
                         * Location
                         * Format: uuid
                         * @description Where it happens, from the library.
                         */
                        locationId?: string;
                        /**
                         * Avoid
                         * Format: textarea
                         * @description Colours and motifs to leave out.
                         */
                        negativePrompt?: string;
                        /**
                         * Objects
                         * @description Things that appear, from the library.
                         */
                        objectIds?: string[];
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Prompt
                         * Format: textarea
                         * @description What to paint: subjects, colours, moods.
                         */
                        prompt: string;
                        /**
                         * Provider
                         * @description Who paints.
                         * @default local
                         * @enum {string}
                         */
                        provider?: "local";
                        /**
                         * Reference picture
                         * Format: uri
                         * @description A picture that a provider's model follows, where it takes one.
                         */
                        referenceImage?: string;
                        /**
                         * Resolution
                         * @description Length of the longer side: 1024, 2048 or 4096 pixels.
                         * @default 1K
                         * @enum {string}
                         */
                        resolution?: "1K" | "2K" | "4K";
                        /**
                         * Seed
                         * @description The same prompt and seed give the same picture; empty takes a new one each time.
                         */
                        seed?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/http-request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Body
                         * @description Sent as JSON, or as plain text when it is one. Apps do not show it.
                         */
                        body?: unknown;
                        /**
                         * Credential
                         * @description A header key that is sent along. With one, the output has the status of the answer alone.
                         */
                        credentialId?: string;
                        /**
                         * Headers
                         * @description Sent along, by name. Values of secret headers are sealed when saved.
                         */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * Input
                         * @description Sent instead of the body when something is connected.
                         */
                        input?: unknown;
                        /**
                         * Method
                         * @description What is asked of the address: GET reads, the others change something there.
                         * @default GET
                         * @enum {string}
                         */
                        method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * URL
                         * Format: uri
                         * @description An https address on a public host.
                         */
                        url: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/json-query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Data
                         * @description An object, a list, or a text that holds JSON.
                         */
                        data: unknown;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Query
                         * @description A jq expression, such as .items[].name, or a dot for everything.
                         * @default .
                         */
                        query?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mix-audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Audio
                         * Format: uri
                         * @description The first sound.
                         */
                        audioUrl: string;
                        /**
                         * Format
                         * @description Of the file that comes out.
                         * @default mp3
                         * @enum {string}
                         */
                        format?: "mp3" | "wav" | "ogg" | "flac" | "m4a";
                        /**
                         * Mode
                         * @description together ends with the longer sound.
                         * @default together
                         * @enum {string}
                         */
                        mode?: "together" | "in-turn";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Second audio
                         * Format: uri
                         * @description The second sound.
                         */
                        secondUrl: string;
                        /**
                         * Second volume
                         * @description In percent.
                         * @default 100
                         */
                        secondVolume?: number;
                        /**
                         * Volume
                         * @description Of the first, in percent.
                         * @default 100
                         */
                        volume?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/motion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Background
                         * @description Of the film: transparent, or a colour such as #ffffff. An mp4 has no transparency, and takes white for it.
                         * @default transparent
                         */
                        background?: string;
                        /**
                         * Format
                         * @description json is the document alone. mp4 is a film on a background; webm and gif keep what is transparent.
                         * @default json
                         * @enum {string}
                         */
                        format?: "json" | "mp4" | "webm" | "gif";
                        /**
                         * Frames per second
                         * @description Of the film. Without one, the animation's own, at most 60, and 25 of a GIF.
                         */
                        frameRate?: number;
                        /**
                         * Motion plan
                         * @description { animation, slots: { name: { type, value } }, slotValues }
                         */
                        motionPlan: Record<string, never>;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Width
                         * @description Of the film in pixels; its height follows. Without one, the animation's own.
                         */
                        width?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pro-3d-render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Aspect ratio
                         * @description Width to height.
                         * @default 16:9
                         * @enum {string}
                         */
                        aspectRatio?: "16:9" | "1:1" | "9:16" | "4:3" | "3:4";
                        /**
                         * Background
                         * @description studio, transparent (pictures alone), or a colour such as #ffffff.
                         * @default studio
                         */
                        background?: string;
                        /**
                         * Camera
                         * @description azimuth and elevation in degrees, distance as a multiple of what just shows all, fov in degrees; it wins over the view.
                         */
                        camera?: {
                            /**
                             * Azimuth
                             * @description Degrees to the right.
                             */
                            azimuth?: number;
                            /**
                             * Distance
                             * @description 1 just shows all.
                             */
                            distance?: number;
                            /**
                             * Elevation
                             * @description Degrees up.
                             */
                            elevation?: number;
                            /**
                             * Angle
                             * @description Of the lens, in degrees.
                             */
                            fov?: number;
                        };
                        /**
                         * Pictures of a turn
                         * @description 12 to 120 in draft quality, 12 to 48 in pro.
                         * @default 48
                         */
                        frames?: number;
                        /**
                         * Lighting
                         * @description Which lamps; scene takes the model's own.
                         * @default studio
                         * @enum {string}
                         */
                        lighting?: "studio" | "sun" | "soft" | "night" | "scene";
                        /**
                         * Model
                         * Format: uri
                         * @description GLB, or glTF with everything inside.
                         */
                        modelUrl?: string;
                        /**
                         * Output
                         * @description A picture, or a film in which the model turns once.
                         * @default image
                         * @enum {string}
                         */
                        output?: "image" | "turntable";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Quality
                         * @description pro traces rays, draft is quick and has no shadows.
                         * @default pro
                         * @enum {string}
                         */
                        quality?: "pro" | "draft";
                        /**
                         * Resolution
                         * @description Length of a picture's longer side: 1024, 2048 or 4096 pixels; 4K in draft quality alone.
                         * @default 1K
                         * @enum {string}
                         */
                        resolution?: "1K" | "2K" | "4K";
                        /**
                         * Scene
                         * @description Scene JSON, in place of a model.
                         */
                        scene?: Record<string, never>;
                        /**
                         * Length of a turn
                         * @description In seconds.
                         * @default 6
                         */
                        seconds?: number;
                        /**
                         * View
                         * @description From where; scene is the model's own camera.
                         * @default three-quarter
                         * @enum {string}
                         */
                        view?: "three-quarter" | "front" | "back" | "left" | "right" | "top" | "scene";
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prompt-helper": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Answers
                         * @description By part of the prompt: a text, a list of texts, or an empty text to leave it open.
                         */
                        answers?: {
                            [key: string]: unknown;
                        };
                        /**
                         * Characters
                         * @description Who appears, from the library.
                         */
                        characterIds?: string[];
                        /**
                         * Creatures
                         * @description Animals and beings that appear, from the library.
                         */
                        creatureIds?: string[];
                        /**
                         * Idea
                         * Format: textarea
                         * @description What is to be seen or read; @handle names an element.
                         */
                        idea: string;
                        /**
                         * Known
                         * @description Parts that are settled already, such as by a preset: a text for each.
                         */
                        known?: {
                            [key: string]: string;
                        };
                        /**
                         * Location
                         * Format: uuid
                         * @description Where it happens, from the library.
                         */
                        locationId?: string;
                        /**
                         * Questions
                         * @description How many come at once.
                         * @default 3
                         */
                        maxQuestions?: number;
                        /**
                         * Objects
                         * @description Things that appear, from the library.
                         */
                        objectIds?: string[];
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Target
                         * @description What the prompt is for.
                         * @default generate-image
                         * @enum {string}
                         */
                        target?: "generate-image" | "generate-video" | "generate-character" | "generate-object" | "generate-creature" | "generate-location" | "3d-scene" | "generate-text";
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/qr-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Background
                         * @description Colour behind the code; light is read best.
                         * @default #ffffff
                         */
                        background?: string;
                        /**
                         * Correction
                         * @description How much of the code may be hidden.
                         * @default medium
                         * @enum {string}
                         */
                        correction?: "medium" | "low" | "quartile" | "high";
                        /**
                         * Foreground
                         * @description Colour of the code; dark is read best.
                         * @default #000000
                         */
                        foreground?: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Size
                         * @description In pixels.
                         * @default 512
                         */
                        size?: number;
                        /**
                         * Text
                         * Format: textarea
                         * @description What a phone reads, such as an address.
                         */
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Character
                         * Format: uuid
                         * @description Who comes in their place, from the library.
                         */
                        characterId: string;
                        /**
                         * Image
                         * Format: uri
                         * @description The picture; or a video instead.
                         */
                        imageUrl?: string;
                        /**
                         * Keep the sound
                         * @description Of a video.
                         * @default true
                         */
                        keepAudio?: boolean;
                        /**
                         * Mode
                         * @description cover lays the character's head over faces, replace redraws the person by a provider's model; empty takes replace where one is set up.
                         * @enum {string}
                         */
                        mode?: "cover" | "replace";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Prompt
                         * Format: textarea
                         * @description What a provider's model is told besides.
                         */
                        prompt?: string;
                        /**
                         * Provider
                         * @description Who does the work; empty leaves it to the mode.
                         * @enum {string}
                         */
                        provider?: "local";
                        /**
                         * Scale
                         * @description How far the head reaches over the face.
                         * @default 1.4
                         */
                        scale?: number;
                        /**
                         * Seed
                         * @description For models that take one.
                         */
                        seed?: number;
                        /**
                         * Target
                         * @description Whose face is covered: all, largest, or { x, y } in parts of the picture.
                         * @default all
                         */
                        target?: unknown;
                        /**
                         * Video
                         * Format: uri
                         * @description The video, at most 60 seconds long where faces are covered; or a picture instead.
                         */
                        videoUrl?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/regex-text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Ignore case
                         * @description Takes capital and small letters for the same.
                         * @default false
                         */
                        ignoreCase?: boolean;
                        /**
                         * Do
                         * @description replace puts the replacement there, extract lists what matches, test tells whether anything does.
                         * @default replace
                         * @enum {string}
                         */
                        mode?: "replace" | "extract" | "test";
                        /**
                         * Pattern
                         * @description A regular expression in RE2 syntax.
                         */
                        pattern: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Replacement
                         * @description $1 or ${name} stands for a group.
                         * @default
                         */
                        replacement?: string;
                        /**
                         * Text
                         * Format: textarea
                         * @description The text to look through.
                         */
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/resize-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Fit
                         * @description cover fills the size and cuts off what hangs over, contain fits all of it on a transparent ground, fill distorts, inside keeps the proportions within the size.
                         * @default cover
                         * @enum {string}
                         */
                        fit?: "cover" | "contain" | "fill" | "inside";
                        /**
                         * Height
                         * @description In pixels; empty keeps the proportions.
                         */
                        height?: number;
                        /**
                         * Image
                         * Format: uri
                         * @description The image to resize.
                         */
                        imageUrl: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Width
                         * @description In pixels; empty keeps the proportions.
                         */
                        width?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/script-breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Most shots
                         * @description Shots become longer where there would be more.
                         * @default 40
                         */
                        maxShots?: number;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Script
                         * Format: textarea
                         * @description Scenes begin with INT. or EXT.; NAME above a line, "Name: line" and quoted speech beside a name are dialogue.
                         */
                        script: string;
                        /**
                         * Seconds per shot
                         * @description About how long a shot is to be, at 2.5 words a second.
                         * @default 6
                         */
                        secondsPerShot?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shot-clip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Aspect ratio
                         * @description Width to height of the video.
                         * @default 16:9
                         * @enum {string}
                         */
                        aspectRatio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
                        /**
                         * Audio
                         * Format: uri
                         * @description What is said or heard.
                         */
                        audioUrl?: string;
                        /**
                         * Caption
                         * @description Words in the picture (Latin, Greek or Cyrillic letters).
                         * @default
                         */
                        caption?: string;
                        /**
                         * Duration
                         * @description In seconds; empty takes the sound and 0.6 seconds, without a sound 4. No shot ends before its sound.
                         */
                        duration?: number;
                        /**
                         * Image
                         * Format: uri
                         * @description The picture of the shot.
                         */
                        imageUrl: string;
                        /**
                         * Movement
                         * @description How the camera moves.
                         * @default static
                         * @enum {string}
                         */
                        movement?: "static" | "push-in" | "pull-out" | "pan-left" | "pan-right" | "tilt-up" | "tilt-down";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Prompt
                         * Format: textarea
                         * @description What is seen; for people, nothing is drawn of it.
                         */
                        prompt?: string;
                        /**
                         * Resolution
                         * @description Length of the shorter side in pixels.
                         * @default 720p
                         * @enum {string}
                         */
                        resolution?: "720p" | "480p" | "1080p";
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/split-text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Cut at
                         * @description Where one piece ends and the next begins.
                         * @default lines
                         * @enum {string}
                         */
                        by?: "lines" | "paragraphs" | "sentences" | "separator";
                        /**
                         * Piece
                         * @description Passes this piece on as text, counted from 1; empty passes all on.
                         */
                        index?: number;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Separator
                         * @description Used when cutting at a separator.
                         * @default ,
                         */
                        separator?: string;
                        /**
                         * Text
                         * Format: textarea
                         * @description The text to cut.
                         */
                        text: string;
                        /**
                         * Trim
                         * @description Removes blanks around the pieces, and empty pieces.
                         * @default true
                         */
                        trim?: boolean;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/summarize-text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Sentences
                         * @description How many to keep.
                         * @default 3
                         */
                        sentences?: number;
                        /**
                         * Text
                         * Format: textarea
                         * @description The text to shorten.
                         */
                        text: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/template-text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Template
                         * Format: textarea
                         * @description Text with placeholders such as {{name}}.
                         */
                        template: string;
                        /**
                         * Values
                         * @description What stands for the placeholders; connect an edge to values.name to feed one.
                         */
                        values?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Text
                         * Format: textarea
                         * @description The words to use.
                         * @default
                         */
                        text?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/text-card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Align
                         * @description Where the lines of the text begin.
                         * @default center
                         * @enum {string}
                         */
                        align?: "center" | "left";
                        /**
                         * Aspect ratio
                         * @description Width to height of the card.
                         * @default 1:1
                         * @enum {string}
                         */
                        aspectRatio?: "1:1" | "16:9" | "9:16" | "4:3" | "3:4";
                        /**
                         * Background
                         * @description Colour at the top.
                         * @default #1d2b53
                         */
                        background?: string;
                        /**
                         * Background below
                         * @description Colour at the bottom.
                         * @default #7e2553
                         */
                        background2?: string;
                        /**
                         * Caption
                         * @description A small line below.
                         * @default
                         */
                        caption?: string;
                        /**
                         * Image
                         * Format: uri
                         * @description Lies below the text, darkened.
                         */
                        imageUrl?: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Text
                         * Format: textarea
                         * @description The words on the card (Latin, Greek or Cyrillic letters).
                         */
                        text: string;
                        /**
                         * Text colour
                         * @description Colour of text and caption.
                         * @default #ffffff
                         */
                        textColor?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/text-to-speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format
                         * @description Of the file that comes out.
                         * @default wav
                         * @enum {string}
                         */
                        format?: "wav" | "mp3";
                        /**
                         * Pitch
                         * @description 0 is deep, 99 high.
                         * @default 50
                         */
                        pitch?: number;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Provider
                         * @description Who speaks.
                         * @default local
                         * @enum {string}
                         */
                        provider?: "local";
                        /**
                         * Speed
                         * @description Words a minute.
                         * @default 165
                         */
                        speed?: number;
                        /**
                         * Text
                         * Format: textarea
                         * @description What to say.
                         */
                        text: string;
                        /**
                         * Voice
                         * @description Language of the voice.
                         * @default en-us
                         * @enum {string}
                         */
                        voice?: "en-us" | "en-gb" | "de" | "fr-fr" | "es" | "it" | "pt-br" | "nl" | "pl" | "sv" | "da" | "nb" | "fi" | "cs" | "hu" | "ro" | "el" | "tr" | "uk" | "ru" | "ar" | "hi" | "zh";
                        /**
                         * Voice of the library
                         * Format: uuid
                         * @description Who speaks: sets provider, voice and the settings that are not set here.
                         */
                        voiceId?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transcribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Language
                         * @description Two letters, such as en, which is the only one that the local provider understands.
                         */
                        language?: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Provider
                         * @description Who listens.
                         * @default local
                         * @enum {string}
                         */
                        provider?: "local";
                        /**
                         * Audio or video
                         * Format: uri
                         * @description What to listen to.
                         */
                        url: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trim-audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Audio
                         * Format: uri
                         * @description The sound to cut.
                         */
                        audioUrl: string;
                        /**
                         * Duration
                         * @description In seconds; empty keeps the rest.
                         */
                        duration?: number;
                        /**
                         * Fade in
                         * @description In seconds.
                         * @default 0
                         */
                        fadeIn?: number;
                        /**
                         * Fade out
                         * @description In seconds.
                         * @default 0
                         */
                        fadeOut?: number;
                        /**
                         * Format
                         * @description Of the file that comes out.
                         * @default mp3
                         * @enum {string}
                         */
                        format?: "mp3" | "wav" | "ogg" | "flac" | "m4a";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Start
                         * @description In seconds.
                         * @default 0
                         */
                        start?: number;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/upload-audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Audio
                         * Format: uri
                         * @description The file to use.
                         */
                        audioUrl: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/upload-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Image
                         * Format: uri
                         * @description The file to use.
                         */
                        imageUrl: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/upload-video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Video
                         * Format: uri
                         * @description The file to use.
                         */
                        videoUrl: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video-overlay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * To
                         * @description Second up to which it shows; empty means the end.
                         */
                        end?: number;
                        /**
                         * Margin
                         * @description Distance from the edge in percent of the shorter side.
                         * @default 4
                         */
                        margin?: number;
                        /**
                         * Opacity
                         * @description In percent.
                         * @default 100
                         */
                        opacity?: number;
                        /**
                         * Overlay
                         * Format: uri
                         * @description The image on top.
                         */
                        overlayUrl: string;
                        /**
                         * Position
                         * @description Where on the video the overlay lies.
                         * @default center
                         * @enum {string}
                         */
                        position?: "center" | "top-left" | "top" | "top-right" | "left" | "right" | "bottom-left" | "bottom" | "bottom-right";
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Scale
                         * @description Width of the overlay in percent of the video.
                         * @default 25
                         */
                        scale?: number;
                        /**
                         * From
                         * @description Second from which it shows.
                         * @default 0
                         */
                        start?: number;
                        /**
                         * Video
                         * Format: uri
                         * @description The video.
                         */
                        videoUrl: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/waveform-video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Aspect ratio
                         * @description Width to height of the video.
                         * @default 16:9
                         * @enum {string}
                         */
                        aspectRatio?: "16:9" | "1:1" | "9:16" | "4:3" | "3:4";
                        /**
                         * Audio
                         * Format: uri
                         * @description The sound.
                         */
                        audioUrl: string;
                        /**
                         * Background
                         * @description Colour behind the wave.
                         * @default #14213d
                         */
                        background?: string;
                        /**
                         * Image
                         * Format: uri
                         * @description Lies behind the wave.
                         */
                        imageUrl?: string;
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Resolution
                         * @description Length of the shorter side in pixels.
                         * @default 720p
                         * @enum {string}
                         */
                        resolution?: "720p" | "480p" | "1080p";
                        /**
                         * Style
                         * @description How the wave is drawn.
                         * @default mirror
                         * @enum {string}
                         */
                        style?: "mirror" | "line" | "dots" | "bars";
                        /**
                         * Colour of the wave
                         * @description Colour that moves with the sound.
                         * @default #ffd166
                         */
                        waveColor?: string;
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Credential
                         * @description A header key that is sent along. With one, the output has the status of the answer alone.
                         */
                        credentialId?: string;
                        /**
                         * Parameters
                         * @description Further keys of the body; connect an edge to each.
                         */
                        parameters?: {
                            /**
                             * Name
                             * @description What the value is called.
                             */
                            name: string;
                            /**
                             * Type
                             * @description What the value is.
                             * @default text
                             * @enum {string}
                             */
                            type?: "text" | "imageUrl" | "videoUrl" | "audioUrl";
                        }[];
                        /**
                         * Preset
                         * Format: uuid
                         * @description Start from a saved preset; fields here override it.
                         */
                        presetId?: string;
                        /**
                         * Result
                         * @description What is sent as result.
                         */
                        result?: unknown;
                        /**
                         * URL
                         * Format: uri
                         * @description An https address on a public host.
                         */
                        url: string;
                        /**
                         * Values
                         * @description What is sent for the parameters, by name.
                         */
                        values?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            responses: {
                /** @description Accepted */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedRun: {
            /** Format: uuid */
            executionId: string;
            status: string;
        };
        AppVersion: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            version: number;
        };
        BalanceView: {
            /** Format: double */
            available: number;
            /** Format: double */
            balance: number;
            /** Format: double */
            reserved: number;
        };
        CreateWorkflowInputBody: {
            description?: string | null;
            edges?: components["schemas"]["EdgeView"][] | null;
            name: string;
            nodes?: components["schemas"]["NodeView"][] | null;
            /**
             * Format: uuid
             * @description Default: the default project of the selected space.
             */
            projectId?: string | null;
            /** @description private or workspace; the default is the workspace's setting. */
            visibility?: string | null;
        };
        EdgeView: {
            id: string;
            source: string;
            sourceHandle?: string | null;
            target: string;
            targetHandle?: string | null;
        };
        ExecutionDetail: {
            /** Format: date-time */
            completedAt: string | null;
            /** Format: int64 */
            completedNodes: number;
            /** Format: date-time */
            createdAt: string;
            errorCode?: string;
            errorMessage: string | null;
            /** Format: int64 */
            failedNodes: number;
            /** Format: uuid */
            id: string;
            /** @description By node id. */
            nodeStates?: {
                [key: string]: components["schemas"]["NodeStateView"];
            };
            /** Format: date-time */
            startedAt: string | null;
            status: string;
            /** Format: double */
            totalCreditsUsed: number;
            /** Format: int64 */
            totalNodes: number;
            /** @enum {string} */
            trigger: "editor" | "api" | "app" | "webhook" | "schedule";
            /** Format: uuid */
            workflowId: string | null;
        };
        FileView: {
            /** @description As sniffed. */
            contentType: string;
            /**
             * Format: double
             * @description In seconds.
             */
            duration?: number;
            /** Format: int64 */
            height?: number;
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            size: number;
            /** @description Unguessable; anyone who has it may download the file. */
            url: string;
            /** Format: int64 */
            width?: number;
        };
        JobStatusView: {
            error_message: string | null;
            /** Format: uuid */
            id: string;
            output_data: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int64
             * @description 0 to 100.
             */
            progress: number;
            /** @enum {string} */
            status: "pending" | "processing" | "completed" | "failed" | "cancelled" | "pending_review";
        };
        ManagedApp: {
            allowedEmbedDomains: string[];
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** Format: double */
            estimatedCredits: number;
            iconUrl: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            /** Format: int64 */
            maxRunsPerUserPerDay: number | null;
            name: string;
            slug: string;
            snapshotEdges: components["schemas"]["EdgeView"][];
            snapshotNodes: components["schemas"]["ShownNode"][];
            snapshotSettings: components["schemas"]["SnapshotView"];
            thumbnailNodeId: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** Format: int64 */
            version: number;
            /** @description Newest first. */
            versions: components["schemas"]["AppVersion"][];
            /** Format: uuid */
            workflowId: string;
        };
        MemberOrganization: {
            /** Format: uuid */
            id: string;
            kind: string;
            memberStatus: string | null;
            name: string;
            role: string | null;
            slug: string;
            status: string;
            vocabulary: {
                [key: string]: string;
            };
        };
        MemberWorkspace: {
            archived: boolean;
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            organizationId: string;
            role: string | null;
            slug: string;
            status: string | null;
        };
        NodeRunView: {
            /** @description Numbers that were moved into their range. */
            adjustments?: {
                [key: string]: unknown;
            }[];
            error_hint?: string;
            error_message?: string;
            /** Format: uuid */
            jobId: string;
            output_data?: {
                [key: string]: unknown;
            };
            /** @description Of a job that ended before the answer. */
            status?: string;
            warnings?: string[];
        };
        NodeStateView: {
            output: {
                [key: string]: unknown;
            } | null;
            status: string;
        };
        NodeTypeView: {
            capabilities: string[];
            category: string;
            description: string;
            /** Format: double */
            estimatedCredits: number;
            /** @description JSON Schema of the settings. */
            inputSchema: unknown;
            label: string;
            /** @enum {string} */
            outputType: "image" | "video" | "audio" | "text" | "data";
            providers: string[];
            type: string;
        };
        NodeView: {
            data?: {
                [key: string]: unknown;
            } | null;
            id: string;
            parentId?: string | null;
            position?: components["schemas"]["PositionView"];
            type: string;
        };
        PositionView: {
            /** Format: double */
            x: number;
            /** Format: double */
            y: number;
        } | null;
        PresentationSettingsStruct: {
            inputItems?: unknown[] | null;
        } | null;
        PresentationView: {
            /** @description Items of type field, node, output, richtext or group. */
            inputItems: unknown[];
        };
        ProfileView: {
            avatarUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            displayName: string;
            email: string;
            emailVerified: boolean;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            lastWorkspaceId?: string | null;
            organizations?: components["schemas"]["MemberOrganization"][];
            organizationsUnavailable?: boolean;
            workspaces?: components["schemas"]["MemberWorkspace"][];
        };
        PublicJob: {
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date-time */
            created_at: string;
            credit_status: string | null;
            /** Format: double */
            credits_charged: number | null;
            error_hint: string | null;
            error_message: string | null;
            /** Format: uuid */
            execution_id: string;
            /** Format: uuid */
            id: string;
            input_data: {
                [key: string]: unknown;
            };
            job_type: string;
            node_id: string;
            output_data: {
                [key: string]: unknown;
            } | null;
            /** Format: int64 */
            progress: number;
            session_id: string | null;
            source: string;
            status: string;
        };
        PublishInputBody: {
            /** @description Origins such as https://example.org. */
            allowedEmbedDomains?: string[] | null;
            description?: string | null;
            iconUrl?: string | null;
            /** Format: int64 */
            maxRunsPerUserPerDay?: number | null;
            name: string;
            presentationSettings?: components["schemas"]["PresentationSettingsStruct"];
            /** @description 1 to 50 lower-case letters, digits, hyphens; derived from the name when absent. */
            slug?: string | null;
            thumbnailNodeId?: string | null;
        };
        RunAppInputBody: {
            /** @description Values by node id and field, over the inputs. */
            inputOverrides?: {
                [key: string]: unknown;
            } | null;
            /** @description Values by the id of an input, or by its field where only one has it. */
            inputs?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description A draft to start.
             */
            runId?: string | null;
            /**
             * Format: int64
             * @description Default: the latest.
             */
            version?: number | null;
        };
        RunExecutionView: {
            /** Format: date-time */
            completedAt: string | null;
            /** Format: int64 */
            completedNodes: number;
            errorCode?: string;
            errorMessage: string | null;
            /** Format: int64 */
            failedNodes: number;
            /** @description By node id. */
            nodeStates?: {
                [key: string]: components["schemas"]["NodeStateView"];
            };
            status: string;
            /** Format: double */
            totalCreditsUsed: number;
            /** Format: int64 */
            totalNodes: number;
        };
        RunValues: {
            /** @description Values by node id and field, over the inputs. */
            inputOverrides?: {
                [key: string]: unknown;
            } | null;
            /** @description Values by input: <nodeId>.<field>, or the field alone where only one input has it. */
            inputs?: {
                [key: string]: unknown;
            } | null;
        };
        RunView: {
            archived: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: double */
            creditsUsed: number;
            execution: components["schemas"]["RunExecutionView"];
            /** Format: uuid */
            executionId: string | null;
            /** Format: uuid */
            id: string;
            status: string;
            thumbnailUrl: string | null;
            /** Format: int64 */
            version: number | null;
        };
        ShownApp: {
            allowedEmbedDomains?: string[];
            /** Format: date-time */
            createdAt?: string;
            description: string;
            /** Format: double */
            estimatedCredits: number;
            iconUrl: string;
            /** Format: uuid */
            id: string;
            isActive?: boolean;
            /** Format: int64 */
            maxRunsPerUserPerDay: number | null;
            name: string;
            slug?: string;
            snapshotEdges: components["schemas"]["EdgeView"][];
            snapshotNodes: components["schemas"]["ShownNode"][];
            snapshotSettings: components["schemas"]["SnapshotView"];
            thumbnailNodeId: string | null;
            /** Format: date-time */
            updatedAt?: string;
            /** Format: int64 */
            version: number;
            /** @description Newest first. */
            versions: components["schemas"]["AppVersion"][];
            /** Format: uuid */
            workflowId?: string;
        };
        ShownNode: {
            data: {
                [key: string]: unknown;
            };
            id: string;
            parentId?: string;
            position?: components["schemas"]["PositionView"];
            type: string;
        };
        SnapshotView: {
            presentationSettings: components["schemas"]["PresentationView"];
        };
        StartedRun: {
            /** Format: uuid */
            executionId: string;
            /** Format: uuid */
            runId: string;
            status: string;
        };
        TransactionView: {
            /**
             * Format: double
             * @description Negative when credits left.
             */
            amount: number;
            /** Format: double */
            balanceAfter: number | null;
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** Format: uuid */
            executionId: string | null;
            /** Format: uuid */
            id: string;
            /** @description signup, grant, purchase, refund or charge; the list is open. */
            kind: string;
        };
        UpdateAppInputBody: {
            allowedEmbedDomains?: string[];
            description?: string;
            iconUrl?: string;
            isActive?: boolean;
            /**
             * Format: int64
             * @description null lifts the limit.
             */
            maxRunsPerUserPerDay?: number | null;
            name?: string;
        };
        UpdateWorkflowInputBody: {
            description?: string;
            edges?: components["schemas"]["EdgeView"][];
            name?: string;
            nodes?: components["schemas"]["NodeView"][];
            /**
             * Format: uuid
             * @description Moves it.
             */
            projectId?: string;
            /**
             * Format: int64
             * @description The version that the change was made on; another current one is refused as stale_version.
             */
            version?: number | null;
            visibility?: string;
        };
        WorkflowDetail: {
            /**
             * @description What the caller may do with it.
             * @enum {string}
             */
            access: "view" | "edit" | "creator";
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            createdBy: string;
            description: string;
            edges: components["schemas"]["EdgeView"][];
            /**
             * Format: double
             * @description What one run costs, with all that its components run.
             */
            estimatedCredits: number;
            /** Format: uuid */
            id: string;
            name: string;
            nodes: components["schemas"]["ShownNode"][];
            /** Format: uuid */
            projectId: string;
            /** @description What it is a copy of, by postId, title, license and author; null for what is no copy. */
            source: unknown;
            /** Format: date-time */
            updatedAt: string;
            /** Format: int64 */
            version: number;
            /** @enum {string} */
            visibility: "private" | "workspace";
            /** Format: uuid */
            workspaceId: string | null;
        };
        WorkflowView: {
            /**
             * @description What the caller may do with it.
             * @enum {string}
             */
            access: "view" | "edit" | "creator";
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            createdBy: string;
            description: string;
            edges: components["schemas"]["EdgeView"][];
            /** Format: uuid */
            id: string;
            name: string;
            nodes: components["schemas"]["ShownNode"][];
            /** Format: uuid */
            projectId: string;
            /** @description What it is a copy of, by postId, title, license and author; null for what is no copy. */
            source: unknown;
            /** Format: date-time */
            updatedAt: string;
            /** Format: int64 */
            version: number;
            /** @enum {string} */
            visibility: "private" | "workspace";
            /** Format: uuid */
            workspaceId: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
